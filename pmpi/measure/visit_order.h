/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * visit_order.h: the order in which a round visits the lengths. A message changes caches and the
 * library's buffers for the next one, so no length should always follow the same other length.
 */
#ifndef TRYST_MEASURE_VISIT_ORDER_H
#define TRYST_MEASURE_VISIT_ORDER_H

#include <stddef.h>
#include <stdint.h>

#define ORDER_DRAW 88172645463325252ULL /* the seed; any number except 0 */

/* A random permutation of order[n] (Fisher and Yates; numbers by Marsaglia's xorshift). */
static inline void order_shuffle(size_t *order, size_t n, uint64_t *draw)
{
	for (size_t i = n; i-- > 1;) {
		size_t other, kept = order[i];

		*draw ^= *draw << 13;
		*draw ^= *draw >> 7;
		*draw ^= *draw << 17;
		other = *draw % (i + 1);
		order[i] = order[other];
		order[other] = kept;
	}
}

#endif
