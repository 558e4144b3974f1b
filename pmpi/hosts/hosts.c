/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c: the tree of hosts.h. */
#include "pmpi/hosts/hosts.h"

#include <errno.h>
#include <stdlib.h>

struct member {
	uint64_t key;
	int rank;
};

static int by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_rank(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The neighbours of host number `h`, whose lowest ranks are first[n]. */
static void place(const struct member *first, int n, int h, struct host_tree *out)
{
	int span = 1;

	out->speaks = true;
	if (h > 0)
		out->parent = first[h & (h - 1)].rank;
	for (; (h == 0 || span < (h & -h)) && h + span < n; span *= 2)
		out->child[out->nchildren++] = first[h + span].rank;
}

int host_tree_make(const struct host *host, int nranks, int rank, struct host_tree *out)
{
	struct member *member = malloc((size_t)nranks * sizeof(*member));
	int n = 0;

	*out = (struct host_tree){ .parent = -1 };
	if (!member)
		return -ENOMEM;
	for (int r = 0; r < nranks; r++)
		member[r] = (struct member){ host[r].key, r };
	qsort(member, (size_t)nranks, sizeof(*member), by_key);
	/* of each host its lowest rank stays */
	for (int i = 0; i < nranks; i++)
		if (i == 0 || member[i].key != member[n - 1].key)
			member[n++] = member[i];
	qsort(member, (size_t)n, sizeof(*member), by_rank);
	out->nhosts = n;
	for (int h = 0; h < n; h++)
		if (member[h].rank == rank)
			place(member, n, h, out);
	free(member);
	return 0;
}
