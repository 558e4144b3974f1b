/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_links.h: link parameters between the ranks of a run, by which both sides are judged.
 *
 *	table run, host_kind	kinds of hosts (pmpi/hosts/link_kinds.h)
 *	table link_param -----> struct run_link, by the kind of the own host, and over the network
 *	by the other one's
 *
 * Ranks on hosts of one kind have the same links: those of the lowest rank that knows some count
 * for all.
 */
#ifndef TRYST_LINKS_RUN_LINKS_H
#define TRYST_LINKS_RUN_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/links/pace.h"
#include "analysis/ranks/op.h"
#include "analysis/ranks/ranks.h"
#include "analysis/model/live/live.h"

struct run_link {
	struct live_link live; /* all zero: unknown */
	/* large messages move while [0] the sender computes, [1] the receiver computes */
	bool alone[2];
	double byte_ns; /* G_l, large messages [ns/B]; 0: unknown */
	/*
	 * The longest send without a known threshold that was done long before its receive came
	 * [bytes]. Empty messages never need a receive.
	 */
	int64_t done_alone[LIVE_CURVES];
	struct pace pace;
};

struct run_links {
	unsigned nkinds;
	int32_t kind_rank[HOST_KINDS_MAX]; /* the lowest of each, rising */
	uint8_t *kind_of;                  /* by index of the rank */
	/* for each kind: self, node, and to hosts of each kind; then one of no tier */
	struct run_link *link;
};

/* Reads them from `db`; call run_links_release() also after an error. 0 or a negative errno,
 * printed. */
int run_links_init(struct run_links *l, const struct run_ranks *ranks);

/* A zero-filled struct is allowed. */
void run_links_release(struct run_links *l);

/* The link of an op's message. A peer outside `ranks` counts as on a host like the op's. */
struct run_link *run_links_of(
	const struct run_links *l, const struct run_ranks *ranks, const struct op *op);

/* What the op's message takes from its post on, if the other side is ready [ns]; 0: unknown. */
int64_t run_link_total_ns(const struct run_link *link, const struct op *op);

/* The link from the host of one rank to the host of another. */
const struct run_link *run_links_between(const struct run_links *l, const struct run_ranks *ranks,
	const struct run_rank *from, const struct run_rank *to);

#endif
