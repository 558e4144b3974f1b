/* SPDX-License-Identifier: BSD-3-Clause */
/* heap.c: a binary heap in an array (heap.h). */
#include "analysis/base/heap.h"
#include "analysis/base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* `moved` goes down from the top to where it belongs. */
static void sift_down(struct heap *h, struct heap_item moved)
{
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && h->item[child + 1].at < h->item[child].at)
			child++;
		if (h->item[child].at >= moved.at)
			break;
		h->item[i] = h->item[child];
		i = child;
	}
	h->item[i] = moved;
}

int heap_push(struct heap *h, int64_t at, void *what)
{
	uint32_t i;

	if (array_room(&h->item, sizeof(*h->item), &h->room, h->n))
		return -ENOMEM;
	for (i = h->n++; i && h->item[(i - 1) / 2].at > at; i = (i - 1) / 2)
		h->item[i] = h->item[(i - 1) / 2];
	h->item[i] = (struct heap_item){ at, what };
	return 0;
}

void heap_pop(struct heap *h)
{
	if (--h->n)
		sift_down(h, h->item[h->n]);
}

void heap_delay(struct heap *h, int64_t at)
{
	sift_down(h, (struct heap_item){ at, h->item[0].what });
}

void heap_release(struct heap *h)
{
	free(h->item);
	memset(h, 0, sizeof(*h));
}
