/* SPDX-License-Identifier: BSD-3-Clause */
/* link_kinds.c: kinds of hosts and of pairs; link_kinds.h says which. */
#include "pmpi/hosts/link_kinds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_hosts(const void *a, const void *b)
{
	const struct host *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static int kind_number(struct link_kinds *j, const struct host *h)
{
	int k = 0;

	while (k < j->nkinds && j->kind_key[k] != h->kind)
		k++;
	if (k == HOST_KINDS_MAX)
		return k - 1;
	if (k == j->nkinds) {
		j->kind_key[k] = h->kind;
		j->kind_rank[k] = h->rank;
		j->nkinds++;
	}
	return k;
}

static void add_pair(
	struct link_kinds *j, int tier, int round, int a, int b, int32_t from, int32_t to)
{
	if (from >= 0 && to >= 0)
		j->join[j->n++] = (struct link_pair){ (uint8_t)tier, (uint8_t)round,
			{ (uint8_t)a, (uint8_t)b }, { from, to } };
}

/*
 * The first two of the host with the lowest rank of that kind that is not alone there. Hosts in
 * their order.
 */
static void add_node(struct link_kinds *j, const struct host *host, int nranks, int kind)
{
	int32_t from = -1, to = -1;

	for (int i = 0; i + 1 < nranks; i++) {
		if (host[i].key != host[i + 1].key || host[i].kind != (uint64_t)kind ||
			(from >= 0 && from < host[i].rank))
			continue;
		from = host[i].rank;
		to = host[i + 1].rank;
	}
	add_pair(j, TIER_NODE, 1, kind, kind, from, to);
}

/* The lowest rank of a kind, and the next that is on another host. Ranks in their order. */
static void add_network(struct link_kinds *j, const struct host *host, int nranks, int kind)
{
	const int32_t from = j->kind_rank[kind];
	int32_t to = from;

	while (to < nranks && (host[to].kind != (uint64_t)kind || host[to].key == host[from].key))
		to++;
	j->has_alike[kind] = to < nranks;
	add_pair(j, TIER_NETWORK, 2, kind, kind, from, to < nranks ? to : -1);
}

/* More ranks than processors on some host? Hosts in their order. */
static bool crowded(const struct host *host, int nranks)
{
	uint32_t ranks = 0;

	for (int r = 0; r < nranks; r++) {
		ranks = r > 0 && host[r].key == host[r - 1].key ? ranks + 1 : 1;
		if (ranks > host[r].processors)
			return true;
	}
	return false;
}

int link_kinds_make(struct host *host, int nranks, struct link_kinds *out)
{
	struct host *by_host = malloc((size_t)nranks * sizeof(*by_host));

	*out = (struct link_kinds){ 0 };
	if (!by_host)
		return -ENOMEM;
	for (int r = 0; r < nranks; r++)
		host[r].rank = r;
	memcpy(by_host, host, (size_t)nranks * sizeof(*host));
	qsort(by_host, (size_t)nranks, sizeof(*by_host), compare_hosts);
	/* what ranks of one host see may differ (a container): the lowest one's counts */
	for (int i = 1; i < nranks; i++)
		if (by_host[i].key == by_host[i - 1].key)
			by_host[i].kind = host[by_host[i].rank].kind = by_host[i - 1].kind;
	for (int r = 0; r < nranks; r++)
		host[r].kind = (uint64_t)kind_number(out, &host[r]);
	for (int i = 0; i < nranks; i++)
		by_host[i].kind = host[by_host[i].rank].kind;
	for (int k = 0; k < out->nkinds; k++)
		add_pair(out, TIER_SELF, 0, k, k, out->kind_rank[k], out->kind_rank[k]);
	for (int k = 0; k < out->nkinds; k++)
		add_node(out, by_host, nranks, k);
	out->crowded = crowded(by_host, nranks);
	free(by_host);
	for (int k = 0; k < out->nkinds; k++)
		add_network(out, host, nranks, k);
	for (int apart = 1; apart < HOST_KINDS_MAX; apart++)
		for (int a = 0; a < out->nkinds; a++)
			if (a < (a ^ apart) && (a ^ apart) < out->nkinds)
				add_pair(out, TIER_NETWORK, 2 + apart, a, a ^ apart,
					out->kind_rank[a], out->kind_rank[a ^ apart]);
	return 0;
}

unsigned link_kinds_link(const struct link_kinds *j, int own, int other)
{
	const int rising = other < own ? other : other - 1;

	return other == own ? TIER_NETWORK : TIER_NETWORK + (unsigned)(rising + j->has_alike[own]);
}

int link_kinds_other(const struct link_kinds *j, int own, unsigned link)
{
	const int rising = (int)link - TIER_NETWORK - j->has_alike[own];

	return rising < 0 ? own : rising < own ? rising : rising + 1;
}
