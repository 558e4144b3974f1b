/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_limit.h: ops beyond the row limit become sums.
 *
 * Profiles stay complete when rows cannot. Records that must not be written any more are added to
 * cells of wait_profile in the mapped file, so that the sums outlive the process. This happens in
 * bulk, when a ring is full.
 */
#ifndef TRYST_RECORD_ROW_LIMIT_H
#define TRYST_RECORD_ROW_LIMIT_H

#include "pmpi/record/thread.h"

/*
 * Reserves space for the cells, since the disk may be full later. Does nothing on file systems that
 * reserve space by writing it: each rank of a job would write cells that it may never need. Call it
 * on a new file. 0, or -1 with errno.
 */
int row_limit_start(void);

/*
 * Takes the rows out of t's ring for which their tables have no room: of each table the first
 * room[] rows stay. Ops are added to their cells, other rows are counted as dropped. The rows that
 * stay move together.
 * Returns the bytes that remain. Call under the lock of ring.c.
 */
uint64_t row_limit_apply(struct thread *t, const uint64_t room[TABLE_COUNT]);

#endif
