/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run_links.h: what messages cost between the ranks of a run, as both sides are judged by it.
 *
 *	table run, host_kind	whose hosts are alike (pmpi/hosts/link_kinds.h)
 *	table link_param -----> struct run_link, by the kind of the own host, and over the network
 *	by the other one's
 *
 * Ranks on hosts of a kind have the same links: those of the lowest one that knows any are taken
 * for all.
 */
#ifndef TRYST_MATCH_RUN_LINKS_H
#define TRYST_MATCH_RUN_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/op.h"
#include "analysis/ranks/ranks.h"
#include "analysis/model/live/live.h"

struct run_link {
	struct live_link live; /* all zero: nothing is known */
	/* [0] large messages move while the sender computes, [1] the receiver */
	bool alone[2];
	double byte_ns; /* G_l, large messages [ns/B]; 0: not known */
	/*
	 * Of the sends without a known threshold the longest that was done long before its receive
	 * came [bytes]. Empty ones need none anyway.
	 */
	int64_t done_alone[LIVE_CURVES];
};

struct run_links {
	unsigned nkinds;
	int32_t kind_rank[HOST_KINDS_MAX]; /* the lowest of each, rising */
	uint8_t *kind_of;                  /* by index of the rank */
	/* of each kind self, node, and to hosts of each kind; then of no tier */
	struct run_link *link;
};

/* From `db`; run_links_release() is due also after an error. 0 or a negative errno, said. */
int run_links_init(struct run_links *l, const struct run_ranks *ranks);

/* Zero-filled ones do no harm. */
void run_links_release(struct run_links *l);

/* The link of an op's message. Who is not in `ranks` is taken for one on a host like the op's. */
struct run_link *run_links_of(
	const struct run_links *l, const struct run_ranks *ranks, const struct op *op);

/* From one host to another one, where these ranks are. */
const struct run_link *run_links_between(const struct run_links *l, const struct run_ranks *ranks,
	const struct run_rank *from, const struct run_rank *to);

#endif
