/* SPDX-License-Identifier: BSD-3-Clause */
/* heap.h: a priority queue by time; the earliest item is on top. */
#ifndef TRYST_BASE_HEAP_H
#define TRYST_BASE_HEAP_H

#include <stdint.h>

struct heap_item {
	int64_t at;
	void *what; /* the caller's */
};

/* Zero-filled: empty. item[0] is the earliest. */
struct heap {
	struct heap_item *item;
	uint32_t n, room;
};

/* Adds an item. 0 or -ENOMEM. */
int heap_push(struct heap *h, int64_t at, void *what);

/* Removes the top item; there must be one. */
void heap_pop(struct heap *h);

/* Sets the time of the top item to `at`, which is not earlier than before. */
void heap_delay(struct heap *h, int64_t at);

/* Frees the items, not what they point to. */
void heap_release(struct heap *h);

#endif
