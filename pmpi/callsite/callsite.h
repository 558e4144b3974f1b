/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite.h: where in the program an MPI call was made, as a small number.
 *
 * A callsite is an MPI function and the return addresses of the call stack that led to it,
 * outside MPI's own libraries and this one, innermost first, as many as callsite_start() was told.
 * Equal stacks have equal ids in all threads of the rank. callsite.c explains how the id is found
 * in a few nanoseconds, and why it is correct.
 */
#ifndef TRYST_CALLSITE_CALLSITE_H
#define TRYST_CALLSITE_CALLSITE_H

#include <stddef.h>
#include <stdint.h>

enum { CALLSITE_NONE = 0 }; /* callsites are off; CALLSITE_OTHER (include/record.h) is 1 */
enum {
	CALLSITE_FIRST = 2,
	CALLSITE_COUNT_MAX = 65536, /* ids given at most */
	CALLSITE_DEPTH_MAX = 64
};

/* The part of a thread's time that walks may take. */
enum {
	CALLSITE_ALLOWANCE_NS = 50000000, /* at any time */
	CALLSITE_ALLOWANCE_SHARE = 100,   /* 1/100 of the elapsed time is added */
	CALLSITE_WALK_MAX_NS = 100000     /* the most that one walk counts */
};

/* One thread's memory of the stacks it has seen. */
struct callsite_cache;

/*
 * Receives one record, struct rec_module or struct rec_callsite (8-byte aligned, head.words set).
 * The thread with the new callsite calls it inside callsite_get(), with signals blocked, one call
 * at a time in the process. A module comes before the first callsite that names it. The function
 * must not call callsite_get().
 */
typedef void callsite_emit(void *context, const void *record, size_t bytes);

/*
 * Before the first callsite_get(), by one thread. `depth` is the number of frames, 0 (callsites are
 * off) to CALLSITE_DEPTH_MAX; `libunwind` names the library to load, NULL for libunwind.so.8.
 *
 * Returns 0, or -1 if frames beyond the caller cannot be read. `why` (of `why_bytes`) then holds
 * the reason in one line without a newline, and a callsite is the return address alone.
 */
int callsite_start(unsigned depth, const char *libunwind, callsite_emit *emit, void *context,
	char *why, size_t why_bytes);

/*
 * Forgets all callsites, so that callsite_start() can be called again. No thread may be inside
 * callsite_get() or use a cache made before. Not needed at the end of a run.
 */
void callsite_stop(void);

/* Receives the time that a walk took; called inside callsite_get(), which it must not call. */
typedef void callsite_spent(void *context, unsigned fn, uint32_t id, uint64_t ns);

/*
 * Makes a cache for the calling thread. It grows from 250 KiB at the default depth to 4 MiB, unless
 * the caches of all threads have already grown by 16 MiB. `spent` may be NULL. Returns NULL if
 * callsites are off or memory is short; callsite_get() accepts NULL.
 */
struct callsite_cache *callsite_cache_new(callsite_spent *spent, void *context);

/* Releases a cache (or NULL) after its thread's last call. */
void callsite_cache_free(struct callsite_cache *cache);

/*
 * The id of the call stack, for MPI function `fn` (FN_*, below 65536): CALLSITE_FIRST and up,
 * CALLSITE_OTHER if no more ids are left, CALLSITE_NONE if `cache` is NULL.
 *
 * Called by a wrapper: `return_address` is the wrapper's __builtin_return_address(0),
 * `frame_address` its __builtin_frame_address(0), whose first two words therefore are the caller's
 * frame pointer and the return address. `cache` belongs to the calling thread. Never changes errno.
 */
uint32_t callsite_get(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address);

/* A thread's registers at some instruction, and a copy of its stack from the stack pointer up. */
struct callsite_stack {
	uint64_t sp, frame_pointer;
	uint64_t link; /* aarch64: the register with the return address */
	const uint64_t *words;
	size_t nwords;
};

/*
 * The id of an instruction of the program at `address`, as a callsite of one frame under no MPI
 * function. With the `stack` of its thread (NULL: none), an instruction of a library stands for the
 * call in the program's own code that led to it. Own code is in the executable, or in a library
 * that has called MPI. An instruction stands for itself if the copy reaches no such call.
 * CALLSITE_OTHER if half of all ids are given: the rest is kept for calls. Never changes errno.
 */
uint32_t callsite_of_code(const void *address, const struct callsite_stack *stack);

/*
 * An address in the code of the function whose frame holds `address`, among the frames above the
 * wrapper's caller on this thread's stack; NULL if unknown. Called by a wrapper, also in a signal
 * handler. Takes some 10 microseconds, or 50 ns if it was among the last 16 asked for at the same
 * place. Never changes errno.
 */
const void *callsite_code_of_frame(struct callsite_cache *cache, const void *address,
	void *return_address, void *frame_address);

/* Counts for the run table. All but the first two are 0 in most programs. */
struct callsite_stats {
	uint64_t callsites; /* ids given */
	/* full walks: one for each new stack or stack position of a thread; also those for frames
	 */
	uint64_t unwinds;
	uint64_t traced_sites; /* calls whose stacks were new too often to be remembered */
	uint64_t flat_sites;   /* calls whose stacks were cut to the first frame: too slow */
	uint64_t cut_sites; /* calls some of whose stacks were cut to the first frame: too many */
	uint64_t other_stacks; /* stacks that got CALLSITE_OTHER */
	uint64_t resets;       /* caches emptied: full, or a library was unloaded */
};

/* Sums of all threads so far; callable at any time. */
void callsite_stats_get(struct callsite_stats *stats);

#endif
