/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origins.h: bottlenecks with blame of their own, so that the advice for each uses its own blame.
 *
 * A bottleneck is one of the report: the ops posted by one line of the program, with one call,
 * protocol and cause. The ORIGINS most expensive ones are used; table blame_of_row has them,
 * numbered from 1.
 */
#ifndef TRYST_BLAME_ORIGINS_H
#define TRYST_BLAME_ORIGINS_H

#include <stdint.h>

#include "analysis/ranks/ranks.h"

enum { ORIGINS = 8 }; /* blame_cell has a column for each */

struct origins {
	struct origin *at; /* by rank */
	uint32_t *first;   /* index of each rank's first one; then the number of all */
	uint32_t nranks;
};

/* Call it once exact_cell is filled. 0 or a negative errno, printed. */
int origins_read(struct origins *o, const struct run_ranks *ranks);
void origins_release(struct origins *o);

/* The bottleneck's number from 0; ORIGINS: none. code: bits 0-17 of exact_cell.code. */
uint32_t origins_find(
	const struct origins *o, uint32_t rank_index, uint32_t callsite, uint32_t code);

#endif
