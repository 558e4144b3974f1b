/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.h: memory for ops in flight, groups of ops that complete in one call, and waits in
 * collectives.
 *
 * It is allocated in slabs, reused, and freed all at once.
 */
#ifndef TRYST_MATCH_POOL_H
#define TRYST_MATCH_POOL_H

#include <stdint.h>

#include "analysis/collective/waits.h"
#include "analysis/ranks/op.h"
#include "analysis/match/output.h"
#include "analysis/blame/waits.h"

/* The waits of one member in a call, in order. */
struct coll_kept {
	struct coll_kept *next; /* in its group, or in the list of free ones */
	struct op_group *group; /* NULL: alone in its call */
	struct output_coll row[COLL_PARTS];
	struct history_wait wait[COLL_PARTS];
	int n;
	bool no_rows; /* not written to a table: view rma_wait has them */
};

/* Zero-filled: empty. */
struct pool {
	struct slab *slabs;
	struct op *free_ops;
	struct op_group *free_groups;
	struct coll_kept *free_kept;
	uint64_t in_flight, in_flight_max; /* ops */
};

/* One of each, with arbitrary content. NULL: there is no memory. */
struct op *pool_take_op(struct pool *p);
struct op_group *pool_take_group(struct pool *p);
struct coll_kept *pool_take_kept(struct pool *p);

/* Return one of each to the pool, for reuse. */
void pool_free_op(struct pool *p, struct op *op);
void pool_free_group(struct pool *p, struct op_group *group);
void pool_free_kept(struct pool *p, struct coll_kept *kept);

/* Frees all memory of the pool. */
void pool_release(struct pool *p);

#endif
