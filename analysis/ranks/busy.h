/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * busy.h: was a rank inside MPI at a time, so that messages could make progress there?
 *
 * From the intervals of table busy, read ahead as far as is asked; the newest `room` intervals are
 * kept. A question about a time before them has no answer, and neither has one about a rank
 * without any (busy rows may be switched off, or dropped).
 */
#ifndef TRYST_RANKS_BUSY_H
#define TRYST_RANKS_BUSY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/ranks.h"

/* Memory for the windows of all ranks together [bytes]. 0 or -ENOMEM. */
int inside_init(struct run_ranks *r, uint64_t memory);

/*
 * The first time from `ns` on (common time) at which the rank was inside MPI: `ns` itself if it
 * was then. `limit` where that comes later than `limit`, `ns` where it is not known.
 */
int64_t inside_next(struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit);

/*
 * Since when the rank was inside MPI when it had been so for `need` ns from `ns` on; what only
 * posts takes less. As inside_next() where it was never so long until `limit`.
 */
int64_t inside_enough(
	struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit, int64_t need);

/*
 * The first time in [ns, limit) at which the rank was outside MPI, and when it was inside again,
 * maybe later than that. False: there is none, or it is not known.
 */
bool busy_next_gap(struct run_ranks *r, struct run_rank *rank, int64_t ns, int64_t limit,
	int64_t *from, int64_t *to);

/* How much of [from, to] the rank spent outside MPI; 0 where that is not known. */
int64_t inside_outside_ns(struct run_ranks *r, struct run_rank *rank, int64_t from, int64_t to);

/* Adds one interval, enters mostly rising. Exposed for tests. */
void inside_add(struct inside *in, int64_t enter, int64_t leave);

#endif
