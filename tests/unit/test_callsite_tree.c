/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_callsite_tree.c: compares the ids of a million calls out of random call trees, over frames
 * of all sorts, with the stack that another unwinder (libgcc's) finds at the same moment.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "callsite_pace.h"
#include "callsite_tree.h"
#include "pmpi/callsite/callsite.h"
#include "pmpi/callsite/cfi.h"
#include "pmpi/callsite/table.h"
#include "pmpi/callsite/module.h"
#include "record.h"
#include "unit.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

enum {
	CALLS = 1000000,
	THREADS = 4,
	THREAD_CALLS = 50000,
	TREES_A_GROUP = 40,
	CALLS_A_GROUP = 20000
};

struct walker {
	struct tree tree;
	struct callsite_cache *cache;
	unsigned depth;
	unsigned fn;
	unsigned jump_every; /* 0: never */
	jmp_buf top;
	uint64_t calls;
	uint64_t wrong;
	uint64_t unknown; /* frames whose rule could not be read */
};

/* ---- the other unwinder ---- */

struct truth {
	void *first;
	bool has_begun;
	unsigned depth;
	unsigned n;
	struct module_address frames[CALLSITE_DEPTH_MAX];
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *user)
{
	struct truth *truth = user;
	void *ip = (void *)_Unwind_GetIP(context);

	if (!truth->has_begun && ip != truth->first)
		return _URC_NO_REASON;
	truth->has_begun = true;
	if (!ip || truth->n == truth->depth)
		return _URC_END_OF_STACK;
	truth->frames[truth->n++] = module_resolve(ip);
	return _URC_NO_REASON;
}

static uint32_t true_id(struct walker *walker, void *return_address)
{
	struct truth truth = { .first = return_address, .depth = walker->depth };

	_Unwind_Backtrace(add_frame, &truth);
	return callsite_table_id(walker->fn, truth.frames, truth.n);
}

/* ---- the wrapper ---- */

static __attribute__((noinline)) void leaf(struct tree *tree)
{
	struct walker *walker = tree->user;
	void *return_address = __builtin_return_address(0);
	uint32_t id;

	walker->fn = 1 + tree_random(tree) % 3;
	id = callsite_get(walker->cache, walker->fn, return_address, __builtin_frame_address(0));
	walker->calls++;
	walker->unknown += cfa_rule_of(return_address).kind == CFA_UNKNOWN;
	walker->wrong += id != true_id(walker, return_address);
	if (tree->calls_left)
		tree->calls_left--;
	if (walker->jump_every && tree_random(tree) % walker->jump_every == 0)
		longjmp(walker->top, 1);
}

/* ---- trees ---- */

static tree_function *functions[4 * TREE_KINDS];

static void drop(void *context, const void *record, size_t bytes)
{
	(void)context, (void)record, (void)bytes;
}

static void start(unsigned depth)
{
	char why[256] = "";

	memcpy(functions, tree_table_O0, sizeof(tree_table_O0));
	memcpy(functions + TREE_KINDS, tree_table_O2, sizeof(tree_table_O2));
	memcpy(functions + 2 * TREE_KINDS, tree_table_O3, sizeof(tree_table_O3));
	memcpy(functions + 3 * TREE_KINDS, tree_table_framed, sizeof(tree_table_framed));
	CU_ASSERT_EQUAL(callsite_start(depth, NULL, drop, NULL, why, sizeof(why)), 0);
	CU_ASSERT_STRING_EQUAL(why, "");
}

static void keep_pace(void *context, unsigned fn, uint32_t id, uint64_t ns)
{
	(void)fn, (void)id;
	pace_keep(context, ns);
}

/* One walk through the tree of that seed; at most `calls` leaves. */
static void walk_tree(struct walker *walker, uint64_t seed, unsigned calls)
{
	struct tree *tree = &walker->tree;
	unsigned first;

	tree->random = seed * 0x9e3779b97f4a7c15ULL | 1;
	first = (unsigned)(tree_random(tree) % (4 * TREE_KINDS - 4));
	tree->functions = functions + first;
	tree->nfunctions = 1 + (unsigned)(tree_random(tree) % 4);
	tree->depth_max = 2 + (unsigned)(tree_random(tree) % 6);
	if (tree_random(tree) % 8 == 0) {
		tree->functions = functions;
		tree->nfunctions = 4 * TREE_KINDS;
		tree->depth_max = TREE_DEPTH_MAX;
	}
	tree->depth = 0;
	tree->calls_left = calls;
	if (setjmp(walker->top) == 0)
		tree->functions[tree_random(tree) % tree->nfunctions](tree);
}

/*
 * Trees come again, mixed with others of their group, so that most stacks are remembered ones and
 * the words between theirs are what other trees left there.
 */
static void walk_trees(struct walker *walker, uint64_t seed, unsigned calls)
{
	struct tree dice = { .random = seed * 0x9e3779b97f4a7c15ULL | 1 };
	struct pace pace = pace_begin();

	walker->cache = callsite_cache_new(keep_pace, &pace);
	walker->tree.user = walker;
	walker->tree.leaf = leaf;
	for (uint64_t group = seed << 32; walker->calls < calls; group += TREES_A_GROUP) {
		uint64_t end = walker->calls + CALLS_A_GROUP;

		while (walker->calls < calls && walker->calls < end)
			walk_tree(walker, group + tree_random(&dice) % TREES_A_GROUP,
				1 + (unsigned)(tree_random(&dice) % 16));
	}
	callsite_cache_free(walker->cache);
}

static void a_million_random_stacks_are_told_right(void)
{
	struct walker walker = { .depth = 8 };
	struct callsite_stats stats;

	start(8);
	walk_trees(&walker, 20261120, CALLS);
	callsite_stats_get(&stats);
	CU_ASSERT_EQUAL(walker.wrong, 0);
	CU_ASSERT_EQUAL(walker.unknown, 0);
	CU_ASSERT(walker.calls >= CALLS);
	CU_ASSERT(stats.callsites > 1000);
	CU_ASSERT(stats.unwinds < CALLS / 20);
	CU_ASSERT_EQUAL(stats.traced_sites + stats.flat_sites + stats.cut_sites, 0);
	printf("\n    %llu calls, %llu wrong, %llu callsites, %llu walks, %llu resets ",
		(unsigned long long)walker.calls, (unsigned long long)walker.wrong,
		(unsigned long long)stats.callsites, (unsigned long long)stats.unwinds,
		(unsigned long long)stats.resets);
	callsite_stop();
}

static void other_depths_are_right_too(void)
{
	static const unsigned depths[] = { 1, 2, 64 };

	for (int i = 0; i < 3; i++) {
		struct walker walker = { .depth = depths[i] };

		start(depths[i]);
		walk_trees(&walker, 7 + (uint64_t)i, CALLS / 50);
		CU_ASSERT_EQUAL(walker.wrong, 0);
		callsite_stop();
	}
}

static void jumps_out_of_trees_change_nothing(void)
{
	struct walker walker = { .depth = 8, .jump_every = 5 };

	start(8);
	walk_trees(&walker, 99, CALLS / 10);
	CU_ASSERT_EQUAL(walker.wrong, 0);
	callsite_stop();
}

static void *run_thread(void *user)
{
	struct walker *walker = user;

	walk_trees(walker, 1000 + (uint64_t)(uintptr_t)user, THREAD_CALLS);
	return NULL;
}

static void threads_agree(void)
{
	struct walker *walkers = calloc(THREADS, sizeof(*walkers));
	pthread_t threads[THREADS];

	start(8);
	for (int i = 0; i < THREADS; i++) {
		walkers[i].depth = 8;
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, run_thread, &walkers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		CU_ASSERT_EQUAL(walkers[i].wrong, 0);
		CU_ASSERT(walkers[i].calls >= THREAD_CALLS);
	}
	callsite_stop();
	free(walkers);
}

static const struct unit_test tests[] = {
	{ "a million random stacks are told right", a_million_random_stacks_are_told_right },
	{ "other depths are right too", other_depths_are_right_too },
	{ "jumps out of trees change nothing", jumps_out_of_trees_change_nothing },
	{ "threads agree", threads_agree },
	{ NULL, NULL },
};

int main(void)
{
	return unit_main("callsite_tree", tests);
}
