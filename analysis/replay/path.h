/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path.h: what the run time of a replay consists of, how much of it is chance, and POP's
 * efficiencies.
 */
#ifndef TRYST_REPLAY_PATH_H
#define TRYST_REPLAY_PATH_H

#include "analysis/replay/run.h"

/*
 * The critical path: back from the last end of a rank to the last start of one. It stays on a lane
 * until the lane waited, and continues on the lane that was waited for, at its post. Fills path_*
 * members of *r, the result of the last replay_run() of this graph.
 */
void replay_path(const struct replay_graph *g, struct replay_result *r);

/*
 * Standard deviation of the run time [ns], from repetitions of the computations and calls on the
 * critical path; NAN: more than half of the path was not repeated. 0 or -ENOMEM.
 */
int replay_noise(const struct replay_graph *g, const struct replay_result *r, double *ns);

/* What POP's efficiencies are quotients of; from the first start of a rank on. */
struct replay_efficiency {
	int64_t run_ns, ideal_ns;                        /* until the last end of a rank */
	int64_t mean_computation_ns, max_computation_ns; /* over ranks: time outside of MPI calls */
};

/*
 * From the run as measured, and as it would be on an ideal network. The computation of a rank with
 * several threads that call MPI is their mean.
 */
struct replay_efficiency replay_efficiency(const struct replay_graph *g,
	const struct replay_result *before, const struct replay_result *ideal);

#endif
