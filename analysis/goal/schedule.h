/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.h: operations of ranks in GOAL (Group Operation Assembly Language), the input of
 * LogGOPSim.
 */
#ifndef TRYST_GOAL_SCHEDULE_H
#define TRYST_GOAL_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/replay/graph.h"

/* LogGOPSim takes ops that can begin at the same time in this order. */
enum goal_type { GOAL_SEND, GOAL_RECV, GOAL_CALC };

struct goal_op {
	uint64_t size; /* [B]; of a computation [ps] */
	uint32_t rank, peer;
	uint32_t tag; /* each message has its own */
	uint8_t type; /* enum goal_type */
	uint8_t cpu;
};

/* `op` begins when `before`, an op of the same rank, has ended (at_begin: has begun). */
struct goal_edge {
	uint32_t op, before;
	bool at_begin;
};

struct goal {
	struct goal_op *op;     /* of rank 0, then of rank 1, ... */
	struct goal_edge *edge; /* by op */
	uint32_t nranks, nops, nedges;
};

/* The caller zero-fills *g before, and releases it in any case. Ranks are indices. 0 or -ENOMEM. */
int goal_from_run(const struct replay_graph *run, struct goal *g);
void goal_release(struct goal *g);

/* Adds an op. Returns its number, or REPLAY_NONE without memory. */
uint32_t goal_add(struct goal *g, struct goal_op op);
/* Adds an edge, as in struct goal_edge. 0 or -ENOMEM. */
int goal_require(struct goal *g, uint32_t op, uint32_t before, bool at_begin);

/* The schedule as text; `comment`, one line, at its beginning. */
void goal_write(FILE *out, const struct goal *g, const char *comment);

#endif
