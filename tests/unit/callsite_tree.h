/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callsite_tree.h: functions that call each other at random, through frames of all sorts, and at
 * the leaves a wrapper as MPI calls would reach it. callsite_tree.c is compiled once for each set
 * of compiler flags; TREE_NAME is that set.
 */
#ifndef TRYST_CALLSITE_TREE_H
#define TRYST_CALLSITE_TREE_H

#include <stdint.h>

struct tree;
typedef void tree_function(struct tree *tree);

enum { TREE_DEPTH_MAX = 24, TREE_KINDS = 9 };

/* One walker through the tree; a thread has its own. */
struct tree {
	uint64_t random; /* state of the generator: its seed, not 0 */
	unsigned depth;
	unsigned depth_max;
	unsigned calls_left;
	tree_function *const *functions;
	unsigned nfunctions;
	tree_function *leaf; /* called at the leaves */
	void *user;
};

static inline uint64_t tree_random(struct tree *tree)
{
	tree->random ^= tree->random << 13;
	tree->random ^= tree->random >> 7;
	tree->random ^= tree->random << 17;
	return tree->random >> 11;
}

/* What to call next: deeper, or the leaf. */
static inline tree_function *tree_next(struct tree *tree)
{
	if (tree->depth >= tree->depth_max || tree_random(tree) % 4 == 0)
		return tree->leaf;
	return tree->functions[tree_random(tree) % tree->nfunctions];
}

#define TREE_TABLE_(name) tree_table_##name
#define TREE_TABLE(name) TREE_TABLE_(name)

extern tree_function *const tree_table_O0[TREE_KINDS];
extern tree_function *const tree_table_O2[TREE_KINDS];
extern tree_function *const tree_table_O3[TREE_KINDS];
extern tree_function *const tree_table_framed[TREE_KINDS];

#endif
