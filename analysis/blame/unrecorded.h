/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unrecorded.h: time inside MPI that no row of a call has, as table busy shows it.
 *
 *	busy     |############|     |########################|
 *	calls      |##|  |####|           |##|
 *	others                      |#####|  |###############|
 *
 * Polling that finds nothing, makers of communicators and windows: no row says when these were
 * called, but a thread that is in them does not compute. Polling for an op belongs to the call that
 * completed it, as far back as the op's poll time says; all else is known by the calls with rows
 * around it. What is shorter than 1 us is left: busy intervals are joined over as much. Intervals
 * of one kind that follow each other within 50 us are one record, as a program may poll a million
 * times: it says how long they were.
 *
 * Until a rank's own times begin it is in MPI_Init, or not even there: what it has not left yet is
 * no computation.
 *
 * Where rows of busy were not kept (--max-ops), or of calls that have rows elsewhere, nobody knows
 * what a thread did between its other calls behind the last row that was: that time is not
 * recorded, neither inside MPI nor computation.
 */
#ifndef TRYST_BLAME_UNRECORDED_H
#define TRYST_BLAME_UNRECORDED_H

#include "analysis/ranks/ranks.h"
#include "analysis/blame/history.h"

/*
 * After the pass (history_end): fills t->others. Threads without any row are left out. 0 or a
 * negative errno.
 */
int unrecorded_find(struct history *t, struct run_ranks *r);

#endif
