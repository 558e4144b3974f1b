/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origins.h: the bottlenecks of which blame is kept apart, so that advice against each rests on its
 * own.
 *
 * A bottleneck is what the report has as one: the ops that a line of the program posted, one call,
 * protocol and cause. The ORIGINS that cost most are taken; table blame_of_row has them, numbered
 * from 1.
 */
#ifndef TRYST_BLAME_ORIGINS_H
#define TRYST_BLAME_ORIGINS_H

#include <stdint.h>

#include "analysis/ranks/ranks.h"

enum { ORIGINS = 8 }; /* blame_cell has a column for each */

struct origins {
	struct origin *at; /* by rank */
	uint32_t *first;   /* of each rank, by index; behind the last one's: all */
	uint32_t nranks;
};

/* exact_cell is filled. 0 or a negative errno, said. */
int origins_read(struct origins *o, const struct run_ranks *ranks);
void origins_release(struct origins *o);

/* From 0 on; ORIGINS: none of them. code: bits 0-17 of exact_cell.code. */
uint32_t origins_find(
	const struct origins *o, uint32_t rank_index, uint32_t callsite, uint32_t code);

#endif
