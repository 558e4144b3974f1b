/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h: rounds of pairs of ranks that measure at the same time. They do not disturb each other if
 * their hosts have enough processors. No MPI here.
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

/* Zero-initialise, then set the first three; their arrays belong to the caller. */
struct plan_of_ranks {
	int nranks;
	const uint64_t *host;       /* [nranks] lowest rank of each rank's host */
	const uint32_t *processors; /* [nranks] of each rank's host */
	struct appointment *at;
	int n, nrounds;
	struct round_use *use; /* [nrounds] */
};

/* Adds a pair to the first round from `first` on that has room for it. 0 or -ENOMEM. */
int plan_add(struct plan_of_ranks *p, int first, int from, int to);

/* Adds all ordered pairs. 0 or -ENOMEM. */
int plan_all(struct plan_of_ranks *p);

/* Adds the pairs of a list, "0-1,2-3". 0, -ENOMEM, or -EINVAL: bad list, a pair twice, bad rank. */
int plan_list(struct plan_of_ranks *p, const char *text);

/* enum link_tier of appointment i. */
unsigned plan_tier(const struct plan_of_ranks *p, int i);

void plan_release(struct plan_of_ranks *p);

#endif
