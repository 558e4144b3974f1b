/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts.h: the hosts of a run as a binomial tree, in which the lowest rank of each speaks for it.
 *
 *	host   0 --- 1          hosts are numbered by their lowest rank; the parent of h is h
 *	       | \-- 2 --- 3    without its lowest set bit; children come in the order of their
 *	       \---- 4 ...      levels, so that all pairs of one level can talk at once
 */
#ifndef TRYST_HOSTS_H
#define TRYST_HOSTS_H

#include <stdbool.h>
#include <stdint.h>

/* What each rank tells of its host. */
struct host {
	uint64_t key;  /* the same on all ranks of one host */
	uint64_t kind; /* the same on hosts that are alike (link_kinds.h) */
	uint32_t processors;
	int32_t rank; /* the order in which they stand at first */
};

enum { HOST_CHILDREN_MAX = 31 };

struct host_tree {
	int nhosts;
	bool speaks; /* this rank is the lowest of its host */
	/* who speaks for the parent; -1: the root, or this rank does not speak */
	int parent;
	int nchildren;
	int child[HOST_CHILDREN_MAX];
};

/* The place of `rank` among host[nranks]. Returns 0 or -ENOMEM. O(nranks log nranks). */
int host_tree_make(const struct host *host, int nranks, int rank, struct host_tree *out);

#endif
