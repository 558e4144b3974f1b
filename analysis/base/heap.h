/* SPDX-License-Identifier: BSD-3-Clause */
/* heap.h: things by a time, the earliest one on top. */
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

/* 0 or -ENOMEM. */
int heap_push(struct heap *h, int64_t at, void *what);

/* Takes the top away; there must be one. */
void heap_pop(struct heap *h);

/* The time of the top one is `at` from now on, which is no earlier than it was. */
void heap_delay(struct heap *h, int64_t at);

void heap_release(struct heap *h);

#endif
