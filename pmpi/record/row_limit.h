/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_limit.h: ops beyond the budget of rows become sums.
 *
 * Profiles stay complete where rows cannot: records that may not be written any more are added to
 * cells of wait_profile, in the mapped file, so that they too outlive the process. Done in bulk,
 * when a ring is full.
 */
#ifndef TRYST_RECORD_ROW_LIMIT_H
#define TRYST_RECORD_ROW_LIMIT_H

#include "pmpi/record/thread.h"

/*
 * Reserve the cells, for which a full disk would have no room later; not where that would write
 * them, on every rank of a job that may never need them. In a file just made. 0 or -1 with errno.
 */
int row_limit_start(void);

/*
 * Take out of t's ring what its tables have no room for: of each table the first room[] rows stay.
 * Ops are added to their cells, the others are counted as dropped. The rest moves together.
 * Returns the bytes that remain. Call under the lock of ring.c.
 */
uint64_t row_limit_apply(struct thread *t, const uint64_t room[TABLE_COUNT]);

#endif
