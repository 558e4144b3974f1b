/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.h: a schedule by the rules of LogGOPSim (Hoefler, Schneider, Lumsdaine: LogGOPSim -
 * Simulating Large-Scale Applications in the LogGOPS Model, 2010, and its public source). Of k
 * bytes:
 *
 * - A send takes its CPU for o + (k - 1) O, and its NIC for g + (k - 1) G.
 * - The message is there o + L after its send began. When the receiver's CPU is free, it takes it
 *   for o + max((k - 1) O, (k - 1) G), and the NIC for g + (k - 1) G.
 * - A receive ends when it is posted and its message has begun to take the CPU. It takes no time.
 * - Up to S a send ends when it has begun. Above S it ends with its receive, and its rank goes on
 * no earlier.
 *
 * An operation that can begin begins when its CPU is free. Equal times go by the order of
 * insertion.
 */
#ifndef TRYST_GOAL_ENGINE_H
#define TRYST_GOAL_ENGINE_H

#include "analysis/goal/schedule.h"

struct goal_parameters {
	uint64_t L, o, g, O, G; /* [ps], O and G a byte */
	uint64_t S;             /* [B] */
};

/*
 * end_ps[] of each rank: when its CPUs are free. Tags are below `ntags`, each of one message.
 * *left: operations that could not end. 0 or -ENOMEM.
 */
int goal_run(const struct goal *g, const struct goal_parameters *p, uint32_t ntags,
	uint64_t *end_ps, uint32_t *left);

struct replay_scenario;

/*
 * From the links of a scenario: those of the kind that most bytes of the run go over. O and G are
 * the long ones, g is 0. False: they are not known.
 */
bool goal_parameters_of(const struct replay_graph *run, const struct replay_scenario *scenario,
	struct goal_parameters *p);

/* One more than the largest tag. */
uint32_t goal_tags(const struct goal *g);

#endif
