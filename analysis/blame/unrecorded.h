/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unrecorded.h: time inside MPI without a row of a call, from table busy.
 *
 *	busy     |############|     |########################|
 *	calls      |##|  |####|           |##|
 *	others                      |#####|  |###############|
 *
 * Unsuccessful polling, and calls that make communicators and windows, have no rows, but a thread
 * inside them does not compute. Polling for an op belongs to the call that completed it, as far
 * back as the op's poll time. All other such time is located by the calls with rows around it.
 * Times below 1 us are ignored, since busy intervals are joined over such gaps. A program may poll
 * a million times, so intervals of one kind within 50 us of each other are one record, with their
 * total time.
 *
 * Before a rank's own times begin, it is in MPI_Init, or has not yet reached it. This time is no
 * computation.
 *
 * If rows of busy, or rows of calls, were not kept (--max-ops), it is unknown what a thread did
 * between its other calls after the last kept row. This time is "not recorded": neither inside MPI
 * nor computation.
 */
#ifndef TRYST_BLAME_UNRECORDED_H
#define TRYST_BLAME_UNRECORDED_H

#include "analysis/ranks/ranks.h"
#include "analysis/blame/history.h"

/*
 * Call it after history_end(): fills t->others, and t->off from table off_cpu. Threads without any
 * row are left out. Returns 0 or a negative errno.
 */
int unrecorded_find(struct history *t, struct run_ranks *r);

#endif
