/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.h: memory of what is in flight: ops, groups of ops that complete in one call, and waits in
 * collectives.
 *
 * Taken from the system in slabs, used again and again, and given back all at once.
 */
#ifndef TRYST_MATCH_POOL_H
#define TRYST_MATCH_POOL_H

#include <stdint.h>

#include "analysis/collective/waits.h"
#include "analysis/ranks/op.h"
#include "analysis/match/output.h"
#include "analysis/blame/waits.h"

/* The waits of one member in a call, one behind the other. */
struct coll_kept {
	struct coll_kept *next; /* in its group, or of free ones */
	struct op_group *group; /* NULL: alone in its call */
	struct output_coll row[COLL_PARTS];
	struct history_wait wait[COLL_PARTS];
	int n;
	bool no_rows; /* in no table: view rma_wait has them */
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
struct op *pool_op(struct pool *p);
struct op_group *pool_group(struct pool *p);
struct coll_kept *pool_kept(struct pool *p);

void pool_free_op(struct pool *p, struct op *op);
void pool_free_group(struct pool *p, struct op_group *group);
void pool_free_kept(struct pool *p, struct coll_kept *kept);

/* Everything that was ever taken is gone. */
void pool_release(struct pool *p);

#endif
