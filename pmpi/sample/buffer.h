/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffer.h: the records that the kernel keeps of one thread, taken once each.
 *
 *	     newest                                    oldest
 *	... | record | record | record | record | record | (overwritten next)
 *	    ^ data_head, moves to the left       ^ seen, where the last look began
 *
 * The kernel writes at any moment, also while the records are read. Each record is copied first.
 * It counts if the kernel cannot have overwritten it meanwhile.
 */
#ifndef TRYST_SAMPLE_BUFFER_H
#define TRYST_SAMPLE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/perf_event.h>

#include "pmpi/callsite/callsite.h"

/*
 * The kernel publishes data_head after it has written the records. It may have overwritten this
 * many of the oldest bytes already, and one more stack: 40 records.
 */
enum { BUFFER_MARGIN = 1024 };

struct buffer {
	const struct perf_event_mmap_page *page;
	const uint8_t *data;
	uint64_t bytes;       /* a power of two */
	uint64_t seen;        /* data_head at the last look */
	uint32_t stack_bytes; /* of a sample */
	/* The thread had lost its CPU at the last look; 0: it had not. */
	uint64_t out_ns;
	bool preempted;
	size_t mapped_bytes;
};

/* The thread ran the instruction at ip. The stack has no words if it was not asked for. */
struct buffer_sample {
	uint64_t time_ns, ip;
	struct callsite_stack stack;
};

/* Receives what was recorded, the newest first. Times are of the kernel's CLOCK_MONOTONIC_RAW. */
struct buffer_taker {
	void (*sample)(void *context, const struct buffer_sample *sample);
	/* The thread had no CPU between the two times. preempted: it was ready to run. */
	void (*off_cpu)(void *context, uint64_t out_ns, uint64_t in_ns, bool preempted);
	void *context;
};

/*
 * Maps the event `fd` with `pages` (a power of two) pages of records. Samples have `stack_bytes` of
 * the stack, as event_open() was told. Returns 0 or a negative errno. The event lives as long as
 * the mapping: close the descriptor. A child after fork() has no mapping: see buffer_blank().
 */
int buffer_map(struct buffer *b, int fd, size_t pages, uint32_t stack_bytes);

/*
 * In the child after fork(): puts empty pages where the mapping was. Code that a signal handler
 * interrupted may still read there, if the handler forked. Takes no lock.
 */
void buffer_blank(struct buffer *b);

/* NULL in `page`, as before buffer_map(), does nothing. */
void buffer_unmap(struct buffer *b);

/*
 * Hands over all records since the last look. Returns the bytes of records that were overwritten
 * before they could be read.
 */
uint64_t buffer_take(struct buffer *b, const struct buffer_taker *taker);

#endif
