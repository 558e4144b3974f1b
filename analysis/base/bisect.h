/* SPDX-License-Identifier: BSD-3-Clause */
/* bisect.h: finds the place of a value among sorted items. */
#ifndef TRYST_BASE_BISECT_H
#define TRYST_BASE_BISECT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The number of the `n` items whose key is below `value`. An item has item_bytes; its key is the
 * int64_t at offset key_at. Items are sorted by key.
 */
static inline uint32_t bisect_below(
	const void *items, size_t item_bytes, size_t key_at, uint32_t n, int64_t value)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		int64_t key;

		memcpy(&key, (const char *)items + middle * item_bytes + key_at, sizeof(key));
		if (key < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
