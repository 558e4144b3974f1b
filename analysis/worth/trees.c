/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trees.c: a collective made by hand, replayed with the steps of a tree.
 *
 *	by hand:  root sends to 1, 2, ... 7, one after the other: 7 steps
 *	as tree:  step 1: 0->1    step 2: 0->2, 1->3    step 3: 0->4, 1->5, 2->6, 3->7
 *
 * Each step doubles the ranks that have the data. Of the messages that root sends by hand in the
 * place of one step, the last one keeps its time. The others take none. The ranks that send them in
 * the tree take that time instead. A fan in is a fan out backwards. A ring keeps the first
 * log2(ranks) of its steps, as many as recursive doubling has.
 */
#include "analysis/worth/gain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COMPLETE_PCT = 90 }; /* of a fan's messages, which must be in complete rounds */

/* Of a fan, the k-th message with each peer belongs to round k. */
struct tree {
	struct worth *w;
	enum worth_shape shape;
	uint32_t ranks, steps;
	bool own;        /* each rank has data of its own */
	bool unknown;    /* no replay can tell */
	uint32_t *round; /* by round, root's messages in order, ranks - 1 each */
	uint32_t *n;     /* by round: how many of them there are */
	uint32_t *met;   /* by rank: root's messages with it */
};

/* The step, 1 ... steps, in which the rank at this position has the data. Root's position is 0. */
static uint32_t step_of(uint32_t position)
{
	uint32_t step = 0;

	while (position >> step)
		step++;
	return step;
}

/* How many ranks step k reaches. */
static uint32_t reached(const struct tree *t, uint32_t k)
{
	const uint32_t first = 1U << (k - 1), left = t->ranks - first;

	return first < left ? first : left;
}

/* The size of the subtree at this position. */
static uint32_t size_of(const struct tree *t, uint32_t position)
{
	uint32_t size = 1;

	for (uint32_t k = step_of(position) + 1; k <= t->steps; k++)
		if (position < reached(t, k))
			size += size_of(t, (1U << (k - 1)) + position);
	return size;
}

/*
 * How much longer this end takes with the data of so many ranks [ns]. A receive that waits for its
 * sender sees all of it, any other one its own overhead.
 */
static int64_t more_ns(struct tree *t, uint32_t part, uint32_t ranks)
{
	const struct replay_part *one = &t->w->edit.part[part];
	struct worth_longer more;

	if (!t->own || ranks == 1)
		return 0;
	if (one->bytes > UINT64_MAX / ranks ||
		!worth_longer(t->w, one, ranks * one->bytes, &more)) {
		t->unknown = true;
		return 0;
	}
	if (one->is_send)
		return more.send_ns;
	return one->lead_ns > 0 ? more.all_ns : more.recv_ns;
}

static uint32_t size_if_own(const struct tree *t, uint32_t position)
{
	return t->own ? size_of(t, position) : 1;
}

/* The part takes no time. Without a tier the model adds none when its lead changes. */
static void take(struct tree *t, uint32_t part)
{
	edit_take_no_time(&t->w->edit, part);
	t->w->g.part[part].tier = REPLAY_TIERS;
	if (t->w->g.part[part].is_send)
		edit_spare(&t->w->edit, part, 0);
}

static void lengthen(struct tree *t, uint32_t part, int64_t ns)
{
	edit_shorten(&t->w->edit, part, -clock_within(ns, CLOCK_NS_MAX));
}

/*
 * The rank at this position passes the data on: after its receive in a fan out, before its send in
 * a fan in. cost_ns: of one of root's messages.
 */
static void pass_on(struct tree *t, uint32_t part, uint32_t position, int64_t cost_ns)
{
	const uint32_t partner = t->w->edit.part[part].partner;
	struct replay_call *call = &t->w->g.call[t->w->g.detail[partner].post_call];
	int64_t ns = 0;

	for (uint32_t k = step_of(position) + 1; k <= t->steps; k++)
		if (position < reached(t, k))
			ns = clock_within(ns + cost_ns +
					more_ns(t, part,
						size_if_own(t, (1U << (k - 1)) + position)),
				CLOCK_NS_MAX);
	lengthen(t, partner, more_ns(t, partner, size_if_own(t, position)));
	if (t->shape == SHAPE_FAN_OUT)
		lengthen(t, partner, ns);
	else
		call->gap_ns = clock_within(call->gap_ns + ns, REPLAY_NS_MAX);
}

/* A round: root has had one message with each other rank. A gathering is a broadcast backwards. */
static void change_round(struct tree *t, const uint32_t *round)
{
	const uint32_t n = t->ranks - 1;
	int64_t cost_ns = 0;

	for (uint32_t i = 0; i < n; i++)
		cost_ns =
			clock_within(cost_ns + edit_part_ns(&t->w->edit, round[i]), REPLAY_NS_MAX);
	cost_ns /= n;
	for (uint32_t i = 1; i <= n; i++) {
		const uint32_t position = t->shape == SHAPE_FAN_OUT ? i : t->ranks - i;
		const uint32_t next = t->shape == SHAPE_FAN_OUT ? i + 1 : position - 1;
		const uint32_t part = round[i - 1], step = step_of(position);

		if (i < n && step_of(next) == step)
			take(t, part);
		else
			lengthen(t, part, more_ns(t, part, size_if_own(t, 1U << (step - 1))));
		pass_on(t, part, position, cost_ns);
	}
}

/* Fills round and n. False: too many messages of root's are in rounds that lack one. */
static bool find_rounds(struct tree *t, int64_t root, uint32_t site)
{
	const struct replay_graph *g = &t->w->g;
	const struct replay_rank *rank = &g->rank[replay_rank_index(g, root)];
	uint64_t all = 0, complete = 0;

	memset(t->met, 0, t->ranks * sizeof(*t->met));
	memset(t->n, 0, (g->nparts / (t->ranks - 1) + 1) * sizeof(*t->n));
	for (uint32_t p = rank->first_part; p < rank->first_part + rank->nparts; p++) {
		const uint32_t partner = t->w->edit.part[p].partner;
		uint32_t peer, k;

		if (g->part[p].site != site || g->part[p].is_send != (t->shape == SHAPE_FAN_OUT) ||
			g->part[p].instance != REPLAY_NONE || partner == REPLAY_NONE ||
			g->detail[partner].rank == root)
			continue;
		peer = replay_rank_index(g, g->detail[partner].rank);
		k = t->met[peer]++;
		all++;
		if (k > g->nparts / (t->ranks - 1))
			continue;
		t->round[(size_t)k * (t->ranks - 1) + t->n[k]++] = p;
		if (t->n[k] == t->ranks - 1)
			complete += t->ranks - 1;
	}
	return all && complete * 100 >= all * COMPLETE_PCT;
}

static void change_fan(struct tree *t, int64_t root, uint32_t site)
{
	if (replay_rank_index(&t->w->g, root) == t->w->g.nranks || !find_rounds(t, root, site)) {
		t->unknown = true;
		return;
	}
	for (uint32_t k = 0; k <= t->w->g.nparts / (t->ranks - 1); k++)
		if (t->n[k] == t->ranks - 1)
			change_round(t, t->round + (size_t)k * (t->ranks - 1));
}

/* A message of the ring at the rank's end, the `nth` of these. */
static void change_step(struct tree *t, uint32_t part, uint32_t nth)
{
	const uint32_t k = nth % (t->ranks - 1) + 1;

	if (k > t->steps)
		take(t, part);
	else
		lengthen(t, part, more_ns(t, part, reached(t, k)));
}

static void change_ring(struct tree *t)
{
	const struct replay_graph *g = &t->w->g;

	for (uint32_t i = 0; i < g->nranks; i++) {
		const struct replay_rank *rank = &g->rank[i];
		uint32_t sends = 0, recvs = 0;

		for (uint32_t p = rank->first_part; p < rank->first_part + rank->nparts; p++) {
			const uint32_t partner = t->w->edit.part[p].partner;
			const uint32_t nth = g->part[p].is_send ? sends++ : recvs++;

			if (partner != REPLAY_NONE && g->part[p].instance == REPLAY_NONE)
				change_step(t, p, nth);
		}
	}
}

/* Gains with data that all share, or with data of their own; -1: times are unknown. */
static int64_t gain_of_tree(struct tree *t, bool own, int64_t root, uint32_t site, int *rc)
{
	int64_t ns = -1;

	t->own = own;
	if (t->shape == SHAPE_RING)
		change_ring(t);
	else
		change_fan(t, root, site);
	if (!t->unknown)
		ns = worth_gain(t->w, &t->w->same, rc);
	edit_undo(&t->w->edit);
	return ns;
}

int worth_gain_of_tree(struct worth *w, enum worth_shape shape, int64_t root, uint32_t site,
	int64_t *same_ns, int64_t *own_ns)
{
	struct tree t = { .w = w, .shape = shape, .ranks = w->g.nranks };
	size_t rounds;
	int rc;

	*same_ns = *own_ns = -1;
	if (t.ranks < 3)
		return 0;
	rounds = w->g.nparts / (t.ranks - 1) + 1;
	t.steps = step_of(t.ranks - 1);
	t.round = malloc(rounds * (t.ranks - 1) * sizeof(*t.round));
	t.n = malloc(rounds * sizeof(*t.n));
	t.met = malloc(t.ranks * sizeof(*t.met));
	rc = t.round && t.n && t.met ? 0 : -ENOMEM;
	if (!rc)
		*same_ns = gain_of_tree(&t, false, root, site, &rc);
	if (!rc)
		*own_ns = gain_of_tree(&t, true, root, site, &rc);
	free(t.round);
	free(t.n);
	free(t.met);
	return rc;
}
