/* SPDX-License-Identifier: BSD-3-Clause */
/* array.c: makes room in arrays that grow (array.h). */
#include "analysis/base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 16 };

/* *items becomes an array of *room = `wanted` items, or more, so that item `i` exists. */
static int resize(void *items, size_t item_bytes, uint32_t *room, uint64_t i, uint64_t wanted)
{
	size_t bytes;
	void *at;

	if (wanted <= i)
		wanted = i + 1;
	if (i >= UINT32_MAX || wanted > UINT32_MAX ||
		__builtin_mul_overflow((size_t)wanted, item_bytes, &bytes))
		return -ENOMEM;
	memcpy(&at, items, sizeof(at)); /* a pointer of any type */
	at = realloc(at, bytes);
	if (!at)
		return -ENOMEM;
	memcpy(items, &at, sizeof(at));
	*room = (uint32_t)wanted;
	return 0;
}

int array_grow(void *items, size_t item_bytes, uint32_t *room, uint64_t n)
{
	return resize(items, item_bytes, room, n, *room ? 2 * (uint64_t)*room : ROOM_MIN);
}

int array_extend(void *items, size_t item_bytes, uint32_t *n, uint64_t i)
{
	const size_t before = *n;
	int rc = resize(items, item_bytes, n, i, i + 1 + before / 2);
	char *first;

	if (rc)
		return rc;
	memcpy(&first, items, sizeof(first));
	memset(first + before * item_bytes, 0, (*n - before) * item_bytes);
	return 0;
}
