/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blame.h: what late ranks did while others waited for them, and the run's critical path.
 *
 * Blame. Rank A waited for rank B. The two were last in step when one waited for the other, in a
 * collective in which all wait, or at the end of MPI_Init. Since then B has spent more time than A,
 * by the length of the wait: in computation, in MPI calls, or waiting itself. The wait's cost goes
 * to these three in proportion to B's excess over A in each. Within computation and calls it goes
 * to the activities with an excess. The part for B's own waiting is passed on to B's waits, whose
 * cost is then shared in the same way. Waits are handled from the last to the first, so that a
 * wait's cost is complete when it is handled. Memory holds the waits to which the current histories
 * reach back. If no history reaches back beyond the end of a collective, the waits before and after
 * it are handled at the same time.
 *
 * The idea comes from Scalasca's delay analysis, which compares delays call path by call path. Ours
 * first compares all computation, so that ranks that run different code can be compared.
 *
 * Critical path. It starts at the rank that ended last and goes backwards. It stays on a rank until
 * that rank waited for another; there it continues on the other rank. So the path has no gaps, and
 * its length is that of the run.
 */
#ifndef TRYST_BLAME_BLAME_H
#define TRYST_BLAME_BLAME_H

#include "analysis/blame/activity.h"
#include "analysis/blame/blame_result.h"
#include "analysis/blame/history.h"
#include "analysis/ranks/worker.h"

/*
 * Call it after history_end(). Fills tables blame_cell and critical_path_cell. Returns 0 or a
 * negative errno, printed.
 */
int blame_run(struct history *t, const struct run_ranks *ranks, struct worker *worker,
	struct blame_result *result);

/* blame.c for path.c */

/*
 * Writes the critical path to table critical_path_cell. all: the activities of all ranks in the
 * time of the path, without waits; path.c adds calls and computation.
 */
int path_run(struct history *t, const struct run_ranks *ranks, const struct sites *sites,
	struct activities *all, struct blame_result *result);

#endif
