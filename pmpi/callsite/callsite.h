/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite.h: where in the program an MPI call was made, as a small number.
 *
 * A callsite is an MPI function and the return addresses of the call stack that led to it,
 * outside MPI's own libraries and this one, innermost first, as many as callsite_start() was told.
 * Equal stacks have equal ids in all threads of the rank. How that is found out in a few
 * nanoseconds, and why the answer is right, is said in callsite.c.
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

/* What walks may take of a thread's time. */
enum {
	CALLSITE_ALLOWANCE_NS = 50000000, /* at any time */
	CALLSITE_ALLOWANCE_SHARE = 100,   /* one part in so many of the time is added */
	CALLSITE_WALK_MAX_NS = 100000     /* counted of a walk: beyond, the scheduler was at work */
};

/* One thread's memory of the stacks it has seen. */
struct callsite_cache;

/*
 * Takes one record, struct rec_module or struct rec_callsite (8-byte aligned, head.words set).
 * Called by the thread that met the new callsite, inside callsite_get(), one call at a time in
 * the process, with signals blocked; a module comes before the first callsite that names it. Must
 * not call callsite_get().
 */
typedef void callsite_emit(void *context, const void *record, size_t bytes);

/*
 * Before the first callsite_get(), by one thread. `depth` is the number of frames, 0 (callsites are
 * off) to CALLSITE_DEPTH_MAX; `libunwind` names the library to load, NULL for libunwind.so.8.
 *
 * Returns 0, or -1 where frames beyond the caller cannot be had: then `why` (of `why_bytes`) holds
 * the reason in one line without a newline, and callsites are the return address alone.
 */
int callsite_start(unsigned depth, const char *libunwind, callsite_emit *emit, void *context,
	char *why, size_t why_bytes);

/*
 * Forgets all callsites, so that callsite_start() can be called again. No thread may be inside
 * callsite_get() or use a cache made before. Not needed at the end of a run.
 */
void callsite_stop(void);

/* Told in callsite_get(), by its thread: finding this callsite took so long. Must not call it. */
typedef void callsite_spent(void *context, unsigned fn, uint32_t id, uint64_t ns);

/*
 * A cache for the calling thread. Where it fills it grows, from 250 KiB at the default depth to
 * 4 MiB, as long as all threads' together grew by less than 16 MiB. `spent` may be NULL. NULL where
 * callsites are off or memory is short; callsite_get() takes that.
 */
struct callsite_cache *callsite_cache_new(callsite_spent *spent, void *context);

/* Takes NULL. The cache's thread must have made its last call. */
void callsite_cache_free(struct callsite_cache *cache);

/*
 * The id of the call stack, for MPI function `fn` (FN_*, below 65536): CALLSITE_FIRST and up,
 * CALLSITE_OTHER where no more ids can be given, CALLSITE_NONE where `cache` is NULL.
 *
 * Called by a wrapper: `return_address` is the wrapper's __builtin_return_address(0),
 * `frame_address` its __builtin_frame_address(0), whose first two words therefore are the caller's
 * frame pointer and the return address. `cache` belongs to the calling thread. Never changes errno.
 */
uint32_t callsite_get(
	struct callsite_cache *cache, unsigned fn, void *return_address, void *frame_address);

/*
 * Code of the function whose frame on this thread's stack, beyond the caller of a wrapper, holds
 * that address; NULL where that cannot be told. Called by a wrapper, also in a signal handler. Some
 * 10 microseconds, or 50 ns where it was among the last 16 asked for, from the same place. Never
 * changes errno.
 */
const void *callsite_code_of_frame(struct callsite_cache *cache, const void *address,
	void *return_address, void *frame_address);

/* What to tell in the run table. All but the first two are 0 in a program that is well behaved. */
struct callsite_stats {
	uint64_t callsites; /* ids given */
	/* full walks: one a new stack, or stack position, and thread; frames' too */
	uint64_t unwinds;
	uint64_t traced_sites; /* calls whose stacks were new too often to be remembered */
	uint64_t flat_sites;   /* calls whose stacks were cut to the first frame: too slow */
	uint64_t cut_sites;    /* calls some of whose stacks were cut to it: too many */
	uint64_t other_stacks; /* stacks that got CALLSITE_OTHER */
	uint64_t resets;       /* caches begun anew: full, or a library was unloaded */
};

/* Sums of all threads so far; callable at any time. */
void callsite_stats_get(struct callsite_stats *stats);

#endif
