/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind.h: full looks at the call stack, by a libunwind of our own. Private to
 * this folder.
 */
#ifndef TRYST_CALLSITE_UNWIND_H
#define TRYST_CALLSITE_UNWIND_H

#include "pmpi/callsite/callsite.h"
#include "pmpi/callsite/module.h"

#include <stdbool.h>
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_DEFINED(address, bytes) ((void)(address), (void)(bytes))
#endif

enum {
	UNWIND_SKIPPED_MAX = 32, /* frames of MPI's libraries in a stack that we look beyond */
	UNWIND_OWN_MAX = 32,     /* room for frames from here to the wrapper's caller */
	UNWIND_FRAMES_MAX = CALLSITE_DEPTH_MAX + UNWIND_SKIPPED_MAX,
	/* a return address, a frame pointer and two copies of a CFA each */
	UNWIND_CHECKS_MAX = 4 * UNWIND_FRAMES_MAX
};

/* For functions that read frames of others, where only the compiler knows what is a variable. */
#define UNWIND_READS_FRAMES __attribute__((no_sanitize("address")))

/*
 * A word of somebody's frame. It may be a variable not yet set, which is no error: it is compared
 * with what we look for.
 */
static inline UNWIND_READS_FRAMES uint64_t unwind_word_at(uint64_t address)
{
	uint64_t word = *(const uint64_t *)(uintptr_t)address;

	VALGRIND_MAKE_MEM_DEFINED(&word, sizeof(word));
	return word;
}

/*
 * A return address as it was stored, without its signature: functions of aarch64 that protect
 * theirs (-mbranch-protection, the default of some distributions) have it in the upper bits.
 * xpaclri, which is no operation on processors that do not sign.
 */
static inline uint64_t unwind_plain_address(uint64_t address)
{
#if defined(__aarch64__)
	register uint64_t x30 __asm__("x30") = address;

	__asm__("hint #7" : "+r"(x30));
	return x30;
#else
	return address;
#endif
}

/* A word of the stack that the result of a walk depended on. */
struct unwind_check {
	int64_t offset; /* from the wrapper's frame address [bytes] */
	uint64_t value;
};

struct unwind_stack {
	unsigned nframes; /* outside MPI's libraries; at least 1 */
	unsigned nraw;    /* return addresses looked at for them */
	unsigned nchecks; /* unwind_walk() alone */
	struct module_address frames[CALLSITE_DEPTH_MAX];
	struct unwind_check checks[UNWIND_CHECKS_MAX];
	void *raw[UNWIND_FRAMES_MAX + UNWIND_OWN_MAX];
};

/*
 * Loads libunwind (`name`, NULL: the usual one) privately. 0, or -1 with the reason in `why`.
 */
int unwind_start(const char *name, char *why, size_t why_bytes);
bool unwind_is_started(void);

/* What libunwind learnt about addresses is void: a library went. */
void unwind_forget(void);

/*
 * Walks the stack frame by frame, from the wrapper's caller (`return_address`, wrapper frame at
 * `frame_address`) until `depth` frames outside MPI are found, and notes in `checks`, innermost
 * first, every word of the stack that decided where the walk went. Some 400 ns a frame. Where
 * nothing is found, the stack is the return address alone.
 *
 * False where the wrapper's caller was not met: what decided that is not in `checks`, and may be
 * otherwise next time.
 */
bool unwind_walk(
	struct unwind_stack *stack, unsigned depth, void *return_address, void *frame_address);

/*
 * The raw return addresses alone, at most `nraw` of them, 60 to 100 ns in all; `raw` has room for
 * UNWIND_OWN_MAX more. Returns how many, 0 where the wrapper's caller is not among them. Valid
 * while no library was unloaded since this thread's first call: what it learns about addresses
 * cannot be forgotten.
 */
unsigned unwind_trace(void **raw, unsigned nraw, void *return_address);

/*
 * Code of the function whose frame holds an address of this stack, beyond a wrapper's caller: what
 * it returns to there, or was interrupted at by a signal. NULL where that cannot be told for sure:
 * it is on another stack, or a step on the way is not what the unwind information says. Some 400 ns
 * a frame. Where the wrapper's own frame holds it: the return address.
 *
 * In stack->checks is what decided that. `is_noted`: all of it, so that the answer stays the same
 * for this return address and frame address as long as the words do.
 */
const void *unwind_find_frame(struct unwind_stack *stack, const void *address, void *return_address,
	void *frame_address, bool *is_noted);

/* stack->frames from `nraw` return addresses in stack->raw; nraw is set to how many mattered. */
void unwind_resolve(struct unwind_stack *stack, unsigned depth, unsigned nraw);

#endif
