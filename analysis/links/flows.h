/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flows.h: messages in transfer between the same nodes at the same time.
 *
 * Contention is the time that other messages added to a transfer, because they left the same node
 * or entered the same node. It follows model MM (analysis/model/equations/contention.h): messages
 * start when these did, and alone they move at their link's G_l per byte. Flow cuts come from
 * link_param (model MM, tier network) if they were fitted; otherwise links are full duplex and
 * shared fairly. A rendezvous message starts when both sides have posted, others when they are
 * sent. As in MM, messages inside a node disturb no others.
 */
#ifndef TRYST_LINKS_FLOWS_H
#define TRYST_LINKS_FLOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/links/run_links.h"
#include "analysis/ranks/op.h"
#include "analysis/model/equations/contention.h"

enum {
	FLOWS_OF_NODE = 128, /* messages remembered of each node */
	FLOWS_AT_ONCE = 48   /* the most messages taken together */
};

struct flows {
	struct contention net;
	bool known;                    /* there is more than one node */
	const struct run_links *links; /* the links that have G_l */
	uint32_t nnodes;
	uint32_t *node_of;        /* by index of the rank */
	struct node_flows **node; /* made when first used */
};

/* Reads nodes and flow cuts from `db`; the caller owns links. 0 or a negative errno, printed. */
int flows_init(struct flows *f, const struct run_ranks *ranks, const struct run_links *links);

/* A zero-filled struct is allowed. */
void flows_release(struct flows *f);

/* True if messages between these ranks leave their node, and their time per byte is known. */
bool flows_between(const struct flows *f, const struct run_ranks *ranks, const struct op *op);

/* Adds a matched pair of ops. 0 or -ENOMEM. */
int flows_add(struct flows *f, const struct run_ranks *ranks, const struct op *send);

/* The contention of a pair that was added [ns], once all that starts before `until` was added. */
int64_t flows_slowdown(
	struct flows *f, const struct run_ranks *ranks, const struct op *send, int64_t until);

#endif
