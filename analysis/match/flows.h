/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flows.h: messages that were on their way between the same nodes at the same time.
 *
 * Contention, as it is meant here: by how much longer a message took from its start to its end than
 * alone because others shared the ways out of its sender's node or into its receiver's, as model MM
 * (analysis/model/equations/contention.h) says of messages that start when these did and move,
 * alone, at their link's G_l a byte. Flow cuts are those of link_param (model MM, tier network),
 * where they were fitted; else ways are full duplex and shared fairly. A rendezvous message starts
 * when both sides have posted, others when they are sent. Messages inside a node disturb nobody, as
 * in MM.
 */
#ifndef TRYST_MATCH_FLOWS_H
#define TRYST_MATCH_FLOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/run_links.h"
#include "analysis/ranks/op.h"
#include "analysis/model/equations/contention.h"

enum {
	FLOWS_OF_NODE = 128, /* messages that are remembered of each node */
	FLOWS_AT_ONCE = 48   /* of them, how many are taken together */
};

struct flows {
	struct contention net;
	bool known;                    /* there is more than one node */
	const struct run_links *links; /* whose G_l are asked */
	uint32_t nnodes;
	uint32_t *node_of;        /* by index of the rank */
	struct node_flows **node; /* made when first used */
};

/* Nodes and flow cuts from `db`; links stay the caller's. 0 or a negative errno, said. */
int flows_init(struct flows *f, const struct run_ranks *ranks, const struct run_links *links);

/* Zero-filled ones do no harm. */
void flows_release(struct flows *f);

/* Do these two ranks' messages leave their node, and is it known how long they take? */
bool flows_between(const struct flows *f, const struct run_ranks *ranks, const struct op *op);

/* A pair of ops that found each other. 0 or -ENOMEM. */
int flows_add(struct flows *f, const struct run_ranks *ranks, const struct op *send);

/* Of a pair that was added, when all that starts before `until` was added, too [ns]. */
int64_t flows_slowdown(
	struct flows *f, const struct run_ranks *ranks, const struct op *send, int64_t until);

#endif
