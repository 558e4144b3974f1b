/* SPDX-License-Identifier: BSD-3-Clause */
/* test_hosts.c: in the tree of hosts, each host has one parent and at most log2(hosts) children. */
#include "pmpi/hosts/hosts.c"

#include "tests/unit/unit.h"

/* Ranks on hosts of `ranks_a_host`, dealt out in blocks or in turn; is it a tree of log depth? */
static void try_tree(int nhosts, int ranks_a_host, int in_turn)
{
	int n = nhosts * ranks_a_host, children = 0, limit = 0;
	struct host *host = calloc((size_t)n, sizeof(*host));
	struct host_tree *tree = calloc((size_t)n, sizeof(*tree));

	CU_ASSERT_FATAL(host && tree);
	while (1 << limit < nhosts)
		limit++;
	for (int r = 0; r < n; r++)
		host[r].key = 0x9e3779b97f4a7c15ULL *
			(uint64_t)(1 + (in_turn ? r % nhosts : r / ranks_a_host));
	for (int r = 0; r < n; r++)
		CU_ASSERT_EQUAL_FATAL(host_tree_make(host, n, r, &tree[r]), 0);
	for (int r = 0; r < n; r++) {
		struct host_tree *t = &tree[r];
		int depth = 0;

		CU_ASSERT_EQUAL(t->nhosts, nhosts);
		CU_ASSERT_EQUAL(t->speaks, in_turn ? r < nhosts : r % ranks_a_host == 0);
		CU_ASSERT_EQUAL(t->parent >= 0, t->speaks && r != 0);
		CU_ASSERT(t->nchildren <= limit && (t->speaks || t->nchildren == 0));
		for (int i = 0; i < t->nchildren; i++)
			CU_ASSERT_EQUAL(tree[t->child[i]].parent, r);
		children += t->nchildren;
		for (int up = r; tree[up].parent >= 0; up = tree[up].parent)
			depth++;
		CU_ASSERT(depth <= limit);
	}
	CU_ASSERT_EQUAL(children, nhosts - 1);
	free(host);
	free(tree);
}

static void every_host_has_one_parent(void)
{
	for (int nhosts = 1; nhosts < 70; nhosts++)
		for (int ranks = 1; ranks < 4; ranks++) {
			try_tree(nhosts, ranks, 0);
			try_tree(nhosts, ranks, 1);
		}
}

static const struct unit_test tests[] = {
	{ "every host has one parent, and few children", every_host_has_one_parent }, { NULL, NULL }
};

int main(void)
{
	return unit_main("hosts", tests);
}
