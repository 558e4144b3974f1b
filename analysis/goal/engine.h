/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.h: runs a schedule by the rules of LogGOPSim (Hoefler, Schneider, Lumsdaine: LogGOPSim -
 * Simulating Large-Scale Applications in the LogGOPS Model, 2010, and its public source). For a
 * message of k bytes:
 *
 * - A send takes its CPU for o + (k - 1) O, and its NIC for g + (k - 1) G.
 * - The message arrives o + L after its send began. When the receiver's CPU is free, the message
 *   takes it for o + max((k - 1) O, (k - 1) G), and the NIC for g + (k - 1) G.
 * - A receive takes no time. It ends when it is posted and its message has begun to take the CPU.
 * - Up to S, a send ends when it has begun. Above S, it ends with its receive, and its rank goes on
 *   no earlier.
 *
 * An operation whose requirements are met begins when its CPU is free. Operations of equal time
 * begin in the order of insertion.
 */
#ifndef TRYST_GOAL_ENGINE_H
#define TRYST_GOAL_ENGINE_H

#include "analysis/goal/schedule.h"

struct goal_parameters {
	uint64_t L, o, g, O, G; /* [ps], O and G per byte */
	uint64_t S;             /* [B] */
};

/*
 * end_ps[], by rank: when all its CPUs are free. Each message has its own tag, below `ntags`.
 * *left: how many operations could not end. 0 or -ENOMEM.
 */
int goal_run(const struct goal *g, const struct goal_parameters *p, uint32_t ntags,
	uint64_t *end_ps, uint32_t *left);

struct replay_scenario;

/*
 * Parameters from a scenario's links of one tier, that of most bytes of the run. O and G are those
 * of long messages, and g is 0. False: they are unknown.
 */
bool goal_parameters_of(const struct replay_graph *run, const struct replay_scenario *scenario,
	struct goal_parameters *p);

/* One more than the largest tag. */
uint32_t goal_tags(const struct goal *g);

#endif
