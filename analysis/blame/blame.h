/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blame.h: what the late ranks did instead, and the run's critical path.
 *
 * Blame. A waited for B. Since the two were last in step (one waited for the other, a collective
 * that all wait in, or the end of MPI_Init) B has spent more time than A, by the length of the
 * wait: in computation, in calls of MPI, or waiting itself. The wait's cost goes to these three by
 * how much more of each B had than A; within computation and calls to the activities of which B had
 * more (what B spent there and A did not); and what B waited passes its part of the cost on to B's
 * waits, whose cost is then given away in the same manner. Waits are handled from the last to the
 * first, so that each one's cost is complete when its turn comes; in memory are those that the
 * histories of the ones at hand reach back to. Where no history reaches back beyond the end of a
 * collective, what comes before it and after it are handled at the same time. (The idea is that of
 * Scalasca's delay analysis; there delays are compared call path by call path alone, ours compares
 * whole computation first, so that ranks which run different code can be compared.)
 *
 * Critical path. From the rank that ended last, backwards: while the rank was not kept waiting, the
 * path stays on it; where it was, the path goes on at that time on the rank it waited for. So the
 * path has no gap, and its length is that of the run.
 */
#ifndef TRYST_BLAME_BLAME_H
#define TRYST_BLAME_BLAME_H

#include "analysis/blame/activity.h"
#include "analysis/blame/blame_result.h"
#include "analysis/blame/history.h"
#include "analysis/ranks/worker.h"

/*
 * All calls and waits have come (history_end). Fills tables blame_cell and critical_path_cell.
 * Returns 0 or a negative errno, said.
 */
int blame_run(struct history *t, const struct run_ranks *ranks, struct worker *worker,
	struct blame_result *result);

/* blame.c for path.c */

/*
 * The critical path into table critical_path_cell. all: what all ranks did in the time of the path,
 * less their waits; path.c adds the calls and computation.
 */
int path_run(struct history *t, const struct run_ranks *ranks, const struct sites *sites,
	struct activities *all, struct blame_result *result);

#endif
