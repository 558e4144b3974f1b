/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h: which pairs of ranks measure when: rounds of pairs that do not disturb each other, as far
 * as their hosts have the processors. No MPI here.
 */
#ifndef TRYST_CALIBRATE_PLAN_H
#define TRYST_CALIBRATE_PLAN_H

#include <stdint.h>

/* One pair in one round. */
struct appointment {
	int round, from, to;
	int slot; /* pairs inside this host before it in the round */
};

struct round_use;

/* Zero-initialise, then set the first three, which stay the caller's. */
struct plan_of_ranks {
	int nranks;
	const uint64_t *host;       /* [nranks] lowest rank of each rank's host */
	const uint32_t *processors; /* [nranks] of each rank's host */
	struct appointment *at;
	int n, nrounds;
	struct round_use *use; /* [nrounds] */
};

/* Puts a pair into the first round from `first` on that has room for it. 0 or -ENOMEM. */
int plan_add(struct plan_of_ranks *p, int first, int from, int to);

/* All ordered pairs. 0 or -ENOMEM. */
int plan_all(struct plan_of_ranks *p);

/* "0-1,2-3": these. 0, -ENOMEM, or -EINVAL: no list, twice the same, other ranks. */
int plan_list(struct plan_of_ranks *p, const char *text);

/* enum link_tier of appointment i. */
unsigned plan_tier(const struct plan_of_ranks *p, int i);

void plan_release(struct plan_of_ranks *p);

#endif
