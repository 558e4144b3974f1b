/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c: see plan.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "pmpi/calibrate/plan.h"
#include "record.h"

/* Ranks in use in a round: each rank at most once, and no host beyond its processors. */
struct round_use {
	uint8_t *busy;     /* [nranks] */
	uint32_t *on_host; /* [nranks] ranks in use, by the host's lowest rank */
};

static int round_new(struct plan_of_ranks *p)
{
	struct round_use *more = realloc(p->use, ((size_t)p->nrounds + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	p->use = more;
	more += p->nrounds++;
	more->busy = calloc((size_t)p->nranks, sizeof(*more->busy));
	more->on_host = calloc((size_t)p->nranks, sizeof(*more->on_host));
	return more->busy && more->on_host ? 0 : -ENOMEM;
}

/* True if both hosts have processors left. The first pair of a round always fits. */
static bool round_fits(const struct plan_of_ranks *p, const struct round_use *u, int a, int b)
{
	uint64_t ha = p->host[a], hb = p->host[b];
	uint32_t need = ha == hb ? 2 : 1;

	if (u->busy[a] || u->busy[b])
		return false;
	return (u->on_host[ha] == 0 || u->on_host[ha] + need <= p->processors[a]) &&
		(u->on_host[hb] == 0 || u->on_host[hb] + need <= p->processors[b]);
}

int plan_add(struct plan_of_ranks *p, int first, int from, int to)
{
	struct appointment *more = realloc(p->at, ((size_t)p->n + 1) * sizeof(*more));
	int round = first, slot = 0;

	if (!more)
		return -ENOMEM;
	p->at = more;
	while (round < p->nrounds && !round_fits(p, &p->use[round], from, to))
		round++;
	if (round == p->nrounds && round_new(p) < 0)
		return -ENOMEM;
	/*
	 * exact if only pairs inside the host use its ranks; otherwise an upper bound
	 */
	slot = (int)(p->use[round].on_host[p->host[from]] + 1) / 2;
	p->use[round].busy[from] = p->use[round].busy[to] = 1;
	p->use[round].on_host[p->host[from]]++;
	p->use[round].on_host[p->host[to]]++;
	p->at[p->n++] = (struct appointment){ round, from, to, slot };
	return 0;
}

/* Round robin, as in a tournament: one rank stays, the others rotate; each pair in both directions.
 */
int plan_all(struct plan_of_ranks *p)
{
	int n = p->nranks + p->nranks % 2, rc = 0;

	for (int round = 0; round < 2 * (n - 1); round++)
		for (int i = 0; i < n / 2 && rc == 0; i++) {
			int a = i == 0 ? n - 1 : (round / 2 + i) % (n - 1);
			int b = (round / 2 + n - 1 - i) % (n - 1), low = a < b ? a : b;

			if (a < p->nranks && b < p->nranks && a != b)
				rc = round % 2 ? plan_add(p, 0, a + b - low, low) :
						 plan_add(p, 0, low, a + b - low);
		}
	return rc;
}

int plan_list(struct plan_of_ranks *p, const char *text)
{
	while (*text) {
		char *end;
		long a = strtol(text, &end, 10), b = -1;

		if (end != text && *end == '-') {
			text = end + 1;
			b = strtol(text, &end, 10);
		}
		if (end == text || a < 0 || b < 0 || a == b || a >= p->nranks || b >= p->nranks ||
			(*end && *end != ',') || (*end == ',' && !end[1]))
			return -EINVAL;
		for (int i = 0; i < p->n; i++)
			if (p->at[i].from == a && p->at[i].to == b)
				return -EINVAL;
		if (plan_add(p, 0, (int)a, (int)b) < 0)
			return -ENOMEM;
		text = *end ? end + 1 : end;
	}
	return p->n > 0 ? 0 : -EINVAL;
}

unsigned plan_tier(const struct plan_of_ranks *p, int i)
{
	return p->host[p->at[i].from] == p->host[p->at[i].to] ? TIER_NODE : TIER_NETWORK;
}

void plan_release(struct plan_of_ranks *p)
{
	for (int i = 0; i < p->nrounds; i++) {
		free(p->use[i].busy);
		free(p->use[i].on_host);
	}
	free(p->use);
	free(p->at);
	*p = (struct plan_of_ranks){ 0 };
}
