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

/* For functions that read other functions' frames, in which variables may be uninitialised. */
#define UNWIND_READS_FRAMES __attribute__((no_sanitize("address")))

/*
 * Reads a word of another function's frame. It may be an uninitialised variable; that is no error,
 * since the word is only compared.
 */
static inline UNWIND_READS_FRAMES uint64_t unwind_word_at(uint64_t address)
{
	uint64_t word = *(const uint64_t *)(uintptr_t)address;

	VALGRIND_MAKE_MEM_DEFINED(&word, sizeof(word));
	return word;
}

/*
 * Removes the signature from a stored return address. On aarch64, functions built with
 * -mbranch-protection (the default of some distributions) sign theirs in the upper bits. xpaclri
 * does nothing on processors that do not sign.
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

/* Drops what libunwind has cached about addresses, after a library was unloaded. */
void unwind_forget(void);

/*
 * Walks the stack frame by frame, from the wrapper's caller (`return_address`, wrapper frame at
 * `frame_address`) until `depth` frames outside MPI are found, and notes in `checks`, innermost
 * first, every word of the stack that decided where the walk went. Some 400 ns a frame. Where
 * nothing is found, the stack is the return address alone.
 *
 * False if the wrapper's caller was not found. The words that decided that are not in `checks`, and
 * may differ next time.
 */
bool unwind_walk(
	struct unwind_stack *stack, unsigned depth, void *return_address, void *frame_address);

/*
 * Gets only the raw return addresses, at most `nraw`, in 60 to 100 ns. `raw` has room for
 * UNWIND_OWN_MAX more. Returns their number, or 0 if the wrapper's caller is not among them. Only
 * valid while no library was unloaded since this thread's first call, since libunwind's cache of
 * this thread cannot be cleared.
 */
unsigned unwind_trace(void **raw, unsigned nraw, void *return_address);

/*
 * Finds the function whose frame contains `address`, an address of this stack above a wrapper's
 * caller. Returns the code address at which this function will continue. If the frame is the
 * wrapper's own, that is the return address. NULL if uncertain: the address is on another stack, or
 * a step contradicts the unwind information. Takes about 400 ns a frame.
 *
 * stack->checks gets the words that decided the answer. `is_noted`: they are complete, so that the
 * answer holds for this return address and frame address while the words keep their values.
 */
const void *unwind_find_frame(struct unwind_stack *stack, const void *address, void *return_address,
	void *frame_address, bool *is_noted);

/* stack->frames from `nraw` return addresses in stack->raw; nraw is set to how many mattered. */
void unwind_resolve(struct unwind_stack *stack, unsigned depth, unsigned nraw);

#endif
