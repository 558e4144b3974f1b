/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.c: each call of a lane as operations.
 *
 *	computation --> sends and receives that the call posts --> end of the call --> ...
 *
 * The end of a call requires that the ops that it completes have ended. The ops that it only posts
 * must have begun.
 */
#include "analysis/goal/schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/text/progress.h"

enum { PS_PER_NS = 1000, CPUS = 256, CALLS_BETWEEN_LOOKS = 4096 };

struct maker {
	const struct replay_graph *run;
	struct goal *goal;
	uint32_t *op;  /* by part: the op whose end is that of the part */
	uint32_t rank; /* whose schedule is being made */
	uint8_t cpu;
	bool failed;
};

void goal_release(struct goal *g)
{
	free(g->op);
	free(g->edge);
	memset(g, 0, sizeof(*g));
}

uint32_t goal_add(struct goal *g, struct goal_op op)
{
	struct goal_op *at = replay_grow(&g->op, &g->nops, sizeof(*at));

	if (!at)
		return REPLAY_NONE;
	*at = op;
	if (op.rank >= g->nranks)
		g->nranks = op.rank + 1;
	return g->nops - 1;
}

int goal_require(struct goal *g, uint32_t op, uint32_t before, bool at_begin)
{
	struct goal_edge *at = replay_grow(&g->edge, &g->nedges, sizeof(*at));

	if (!at)
		return -ENOMEM;
	*at = (struct goal_edge){ op, before, at_begin };
	return 0;
}

/* Adds an op of this lane that requires `before` (REPLAY_NONE: nothing). */
static uint32_t add(struct maker *m, enum goal_type type, uint64_t size, uint32_t peer,
	uint32_t tag, uint32_t before)
{
	const uint32_t op = goal_add(m->goal,
		(struct goal_op){ .type = (uint8_t)type,
			.size = size,
			.rank = m->rank,
			.peer = peer,
			.tag = tag,
			.cpu = m->cpu });

	m->failed |= op == REPLAY_NONE;
	if (before != REPLAY_NONE && op != REPLAY_NONE)
		m->failed |= goal_require(m->goal, op, before, false) != 0;
	return op;
}

static void require(struct maker *m, uint32_t op, uint32_t before, bool at_begin)
{
	if (op != REPLAY_NONE && before != REPLAY_NONE)
		m->failed |= goal_require(m->goal, op, before, at_begin) != 0;
}

static uint32_t rank_of(const struct maker *m, uint32_t part)
{
	const struct replay_graph *g = m->run;
	uint32_t low = 0, high = g->nranks;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (g->rank[middle].rank < g->detail[part].rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds the send or receive of one byte, to or from a member. `end` requires it. Returns the op. */
static uint32_t byte(struct maker *m, enum goal_type type, const struct replay_instance *it,
	uint32_t member, uint32_t tag, uint32_t before, uint32_t end)
{
	const uint32_t op =
		add(m, type, 1, rank_of(m, m->run->member[it->first + member]), tag, before);

	require(m, end, op, false);
	return op;
}

/* In each round, sends a byte to the member 1, 2, 4, ... places ahead. */
static void disseminate(struct maker *m, const struct replay_instance *it, uint32_t me,
	uint32_t tag, uint32_t before, uint32_t end)
{
	for (uint32_t step = 1; step < it->n; step *= 2, tag += it->n) {
		const uint32_t from = (me + it->n - step) % it->n;
		const uint32_t sent =
			byte(m, GOAL_SEND, it, (me + step) % it->n, tag + me, before, end);
		const uint32_t received = byte(m, GOAL_RECV, it, from, tag + from, before, end);

		/* an empty computation makes the next round wait for both */
		before = add(m, GOAL_CALC, 0, 0, 0, sent);
		require(m, before, received, false);
	}
}

/* A byte between the root and each other member. */
static void to_or_from_root(struct maker *m, const struct replay_instance *it, uint32_t me,
	bool from_root, uint32_t tag, uint32_t before, uint32_t end)
{
	const uint32_t root = m->run->part[it->root].partner;

	if (me != root) {
		byte(m, from_root ? GOAL_RECV : GOAL_SEND, it, root, tag + me, before, end);
		return;
	}
	for (uint32_t i = 0; i < it->n; i++)
		if (i != root)
			byte(m, from_root ? GOAL_SEND : GOAL_RECV, it, i, tag + i, before, end);
}

/* How members of a collective wait for each other, by its first member that waits. */
static enum replay_needs needs_of(const struct replay_graph *g, const struct replay_instance *it)
{
	for (uint32_t i = it->first; i < it->first + it->n; i++)
		if (g->part[g->member[i]].needs != NEEDS_NOBODY)
			return (enum replay_needs)g->part[g->member[i]].needs;
	return NEEDS_NOBODY;
}

/* Adds a member's part of a collective. Returns the op of its end. */
static uint32_t add_member(struct maker *m, uint32_t part, uint32_t before)
{
	const struct replay_instance *it = &m->run->instance[m->run->part[part].instance];
	const uint32_t me = m->run->part[part].partner;
	/* tags after those of messages, for up to 32 rounds of n bytes each */
	const uint32_t tag = m->run->nparts + 32 * it->first;
	const uint32_t end = add(m, GOAL_CALC, 0, 0, 0, before);
	const enum replay_needs needs = needs_of(m->run, it);

	if (needs == NEEDS_ALL && it->root == REPLAY_NONE)
		disseminate(m, it, me, tag, before, end);
	else if ((needs == NEEDS_ALL || needs == NEEDS_ROOT) && it->root != REPLAY_NONE)
		to_or_from_root(m, it, me, needs == NEEDS_ROOT, tag, before, end);
	else if (needs == NEEDS_LOWER) {
		const uint32_t received =
			me ? byte(m, GOAL_RECV, it, me - 1, tag + me - 1, before, end) : before;

		if (me + 1 < it->n)
			byte(m, GOAL_SEND, it, me + 1, tag + me, received, end);
	}
	return end;
}

/* Adds a part that a call posts. */
static void add_part(struct maker *m, uint32_t p, uint32_t before)
{
	const struct replay_part *part = &m->run->part[p];

	if (part->instance != REPLAY_NONE)
		m->op[p] = add_member(m, p, before);
	else if (part->partner != REPLAY_NONE)
		m->op[p] = add(m, part->is_send ? GOAL_SEND : GOAL_RECV,
			part->bytes ? part->bytes : 1, rank_of(m, part->partner),
			part->is_send ? p : part->partner, before);
}

static void add_lane(struct maker *m, const struct replay_lane *lane)
{
	uint32_t before = REPLAY_NONE;

	for (uint32_t c = lane->first; c < lane->first + lane->n && !m->failed; c++) {
		const struct replay_call *call = &m->run->call[c];
		const uint32_t computed =
			add(m, GOAL_CALC, (uint64_t)call->gap_ns * PS_PER_NS, 0, 0, before);

		if (c % CALLS_BETWEEN_LOOKS == 0)
			progress("making the schedule of call", c, m->run->ncalls);
		for (uint32_t p = call->posts; p != REPLAY_NONE; p = m->run->part[p].next_post)
			add_part(m, p, computed);
		before = add(m, GOAL_CALC, 0, 0, 0, computed);
		for (uint32_t p = call->posts; p != REPLAY_NONE; p = m->run->part[p].next_post)
			require(m, before, m->op[p], true);
		for (uint32_t p = call->dones; p != REPLAY_NONE; p = m->run->part[p].next_done)
			require(m, before, m->op[p], false);
	}
}

int goal_from_run(const struct replay_graph *run, struct goal *g)
{
	struct maker m = { .run = run, .goal = g };

	m.op = malloc(((size_t)run->nparts + 1) * sizeof(*m.op));
	if (!m.op)
		return -ENOMEM;
	memset(m.op, 0xff, (size_t)run->nparts * sizeof(*m.op)); /* REPLAY_NONE */
	g->nranks = run->nranks;
	for (uint32_t i = 0; i < run->nlanes && !m.failed; i++) {
		m.rank = run->lane[i].rank;
		m.cpu = (uint8_t)((i - run->rank[m.rank].first_lane) % CPUS);
		add_lane(&m, &run->lane[i]);
	}
	free(m.op);
	return m.failed ? -ENOMEM : 0;
}
