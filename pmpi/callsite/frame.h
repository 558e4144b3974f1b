/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frame.h: whose frame an address of the stack lies in, remembered. Private to this folder.
 *
 * As callsite.c remembers stacks: what a look-up found holds as long as all words that decided it
 * have their values, and no library was unloaded.
 */
#ifndef TRYST_CALLSITE_FRAME_H
#define TRYST_CALLSITE_FRAME_H

#include "pmpi/callsite/unwind.h"

enum { FRAMES_KEPT = 16 };

/* What was found. */
struct frame_found {
	const void *code; /* NULL: it could not be told */
	const void *address;
	const void *return_address;
	const void *frame_address;
	uint32_t unloads; /* module_unloads() then */
	uint16_t first;   /* index of its checks */
	uint16_t nchecks;
};

/* One thread's memory; zero-initialise. */
struct frame_memory {
	struct unwind_stack stack; /* the walk at work */
	uint32_t nfound, nchecks;
	struct frame_found found[FRAMES_KEPT];
	struct unwind_check checks[UNWIND_CHECKS_MAX];
};

/*
 * Code of the function whose frame holds that address, as unwind_find_frame() says, or NULL.
 * is_walk: it was not remembered. Also in a signal handler. Never changes errno.
 */
const void *frame_code(struct frame_memory *memory, const void *address, void *return_address,
	void *frame_address, bool *is_walk);

#endif
