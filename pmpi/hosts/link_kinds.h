/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * link_kinds.h: the kinds of hosts, and the ranks that measure for each pair of kinds.
 *
 * Hosts whose processors differ in name or number are of different kinds, since times of messages
 * differ on them and between them. Kinds are numbered by their lowest ranks. A join is a tier and
 * the kinds of its two sides:
 *
 *	round 0		messages to oneself: a rank of each kind
 *	round 1		inside a host: two ranks of each kind
 *	round 2		over the network: two hosts of each kind
 *	round 3 ...	over the network: kinds a < b in round 2 + (a xor b)
 *
 * No kind takes part twice in a round, so all joins of a round are measured at the same time.
 */
#ifndef TRYST_MEASURE_LINK_KINDS_H
#define TRYST_MEASURE_LINK_KINDS_H

#include <stdbool.h>

#include "pmpi/hosts/hosts.h"
#include "record.h"

enum {
	JOINS_MAX = 2 * HOST_KINDS_MAX + HOST_KINDS_MAX * (HOST_KINDS_MAX + 1) / 2,
	JOIN_ROUNDS = 2 + HOST_KINDS_MAX
};

struct link_pair {
	uint8_t tier;
	uint8_t round;
	uint8_t kind[2];
	int32_t rank[2]; /* the measuring ranks; the first leads, and is alone for TIER_SELF */
};

struct link_kinds {
	int nkinds;
	bool has_alike[HOST_KINDS_MAX];    /* there are two hosts of that kind */
	int32_t kind_rank[HOST_KINDS_MAX]; /* the lowest of each kind */
	uint64_t kind_key[HOST_KINDS_MAX];
	int n;
	struct link_pair join[JOINS_MAX]; /* by round */
	bool crowded;                     /* some host has more ranks than processors */
};

/*
 * Makes the joins from the hosts of all ranks, in the order of ranks. Replaces host[].kind by its
 * number. If there are more than HOST_KINDS_MAX kinds, the last number stands for the rest. Returns
 * 0 or -ENOMEM. O(nranks log nranks).
 */
int link_kinds_make(struct host *host, int nranks, struct link_kinds *out);

/*
 * The number of the link (include/record.h) from a rank on a host of kind `own` to a rank on
 * another host of kind `other`. TIER_NETWORK is the link to hosts of the own kind, or to the first
 * other kind if the host is the only one of its kind.
 */
unsigned link_kinds_link(const struct link_kinds *j, int own, int other);

/* The kind on the other side of such a link. It can be a number that no host has. */
int link_kinds_other(const struct link_kinds *j, int own, unsigned link);

#endif
