/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array.h: arrays that grow.
 *
 * An array is three members of the caller's struct: a pointer from malloc() or NULL, how many items
 * are in use, and for how many there is room. The functions get the address of the pointer and the
 * size of an item. They return 0, or -ENOMEM with the array as it was.
 */
#ifndef TRYST_BASE_ARRAY_H
#define TRYST_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* The slow paths of the two functions below: the array moves. */
int array_grow(void *items, size_t item_bytes, uint32_t *room, uint64_t n);
int array_extend(void *items, size_t item_bytes, uint32_t *n, uint64_t i);

/* Makes room for one item behind `n` others. Doubles *room if necessary. */
static inline int array_room(void *items, size_t item_bytes, uint32_t *room, uint64_t n)
{
	return n < *room ? 0 : array_grow(items, item_bytes, room, n);
}

/* For an array whose *n items are all in use: extends it to include item `i`. New items are 0. */
static inline int array_cover(void *items, size_t item_bytes, uint32_t *n, uint64_t i)
{
	return i < *n ? 0 : array_extend(items, item_bytes, n, i);
}

#endif
