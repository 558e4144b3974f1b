/* SPDX-License-Identifier: BSD-3-Clause */
/* bounds.c: finds the tightest bounds between clocks, and corrects the clocks' maps. */
#include "analysis/ranks/bounds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/heap.h"
#include "analysis/ranks/queue.h"
#include "analysis/ranks/ranks.h"
#include "analysis/format/db/db.h"

enum {
	WINDOWS = 32,      /* equal parts of the run */
	PAIRS_MAX = 16384, /* pairs of clocks; further pairs have no bounds */
	BOUNDS_MAX = 2 * WINDOWS + 4,
	MEMORY = 64 << 20
};

/* The message that seemed to take the least time in one direction, in one window of the run. */
struct least {
	int64_t at, ns; /* its middle; its time by both clocks */
	bool any;
};

struct pair {
	uint32_t a, b; /* groups, a < b */
	bool used;
	uint64_t messages;
	struct least there[WINDOWS]; /* from a to b */
	struct least back[WINDOWS];
};

/* All ranks on one clock, by the index of one of them. */
struct group {
	bool settled, measured;
	uint32_t nknots;
	struct knot {
		int64_t at; /* common time as it was */
		int64_t ns; /* the correction at that time, added */
		int64_t error_ns;
	} knot[BOUNDS_MAX]; /* rising; none: no correction */
};

struct bounds {
	struct clocks *c;
	struct run_ranks ranks;
	struct worker worker;
	struct queues queues;
	struct heap by_next_row; /* ranks */
	struct pair *pair;       /* open addressing */
	uint32_t npairs;
	struct group *group; /* by index of the rank */
	int64_t begin, end;  /* of the run, common time */
	int error;
};

static struct pair *pair_at(struct bounds *b, uint32_t x, uint32_t y)
{
	uint32_t first = x < y ? x : y, second = x < y ? y : x;
	uint64_t i = ((uint64_t)first << 32 | second) * 0x9e3779b97f4a7c15ULL >> 40;

	for (;; i++) {
		struct pair *p = &b->pair[i % (2 * PAIRS_MAX)];

		if (p->used && p->a == first && p->b == second)
			return p;
		if (!p->used && b->npairs == PAIRS_MAX)
			return NULL;
		if (!p->used) {
			p->a = first;
			p->b = second;
			p->used = true;
			b->npairs++;
			return p;
		}
	}
}

/* A message from one clock to another. */
static void note_message(struct bounds *b, const struct op *send, const struct op *recv)
{
	uint32_t from = b->c->group[send->rank - b->ranks.at];
	uint32_t to = b->c->group[recv->rank - b->ranks.at];
	struct pair *p = pair_at(b, from, to);
	int64_t at = send->post / 2 + recv->leave / 2, ns = recv->leave - send->post;
	double part = (double)(at - b->begin) / (double)(b->end - b->begin + 1);
	struct least *least;

	if (!p)
		return;
	part = part < 0 ? 0 : part > 1 ? 1 : part;
	least = &(from < to ? p->there : p->back)[(int)(part * (WINDOWS - 1))];
	p->messages++;
	if (!least->any || ns < least->ns)
		*least = (struct least){ at, ns, true };
}

static bool is_of_use(const struct bounds *b, const struct op *op)
{
	const struct run_rank *peer = rank_find(&b->ranks, op->peer);

	return peer && op->peer >= 0 && !op_flag(op, OP_PROC_NULL | OP_COMM_PEER | OP_CANCELLED) &&
		b->c->group[peer - b->ranks.at] != b->c->group[op->rank - b->ranks.at] &&
		rank_comm(op->rank, op->comm);
}

/*
 * Ops that never completed keep their place in the queue, but give no bounds. Nor do unsure pairs.
 */
static void take_op(struct bounds *b, struct run_rank *rank, const int64_t *v)
{
	struct op op = { .rank = rank,
		.code = v[OP_ROW_CODE],
		.kind = op_code_kind(v[OP_ROW_CODE]),
		.peer = v[OP_ROW_PEER] == ROW_NULL ? -1 : (int32_t)v[OP_ROW_PEER],
		.tag = (int32_t)v[OP_ROW_TAG],
		.comm = comm_thread_comm(v[OP_ROW_COMM]),
		.lane = comm_thread_thread(v[OP_ROW_COMM]) },
		  *kept, *other;
	struct queue_key key;
	int64_t span = v[OP_ROW_SPAN] == ROW_NULL ? 0 : v[OP_ROW_SPAN];

	if (!is_of_use(b, &op))
		return;
	op.pending = v[OP_ROW_DONE] == 0 || v[OP_ROW_SPAN] == ROW_NULL;
	op.post = clock_common(&rank->clock, v[OP_ROW_POST]);
	op.post_leave = clock_common(&rank->clock, v[OP_ROW_POST] + span);
	op.leave = clock_common(&rank->clock,
		v[OP_ROW_POST] + span +
			(op.pending || v[OP_ROW_DONE] == ROW_NULL ?
					0 :
					v[OP_ROW_GAP] + v[OP_ROW_COMPLETE]));
	/* a receive that has not completed does not know its source */
	if (op.kind == KIND_RECV && op.pending && op_flag(&op, OP_ANY_SOURCE | OP_ANY_TAG))
		return;
	kept = malloc(sizeof(*kept));
	if (!kept) {
		b->error = -ENOMEM;
		return;
	}
	*kept = op;
	key = queue_key_of(&op);
	other = queues_match(&b->queues, &key, kept, &b->error);
	if (!other)
		return;
	if (!(op.kind == KIND_RECV ? kept : other)->pending && !other->unsure)
		note_message(b, op.kind == KIND_SEND ? kept : other,
			op.kind == KIND_SEND ? other : kept);
	free(kept);
	free(other);
}

static void drop_op(void *context, struct op *op)
{
	(void)context;
	free(op);
}

/* Reads all ops in the order of time, so that few wait for their partners. */
static void read_ops(struct bounds *b)
{
	const struct row *row;

	for (uint32_t i = 0; i < b->ranks.n && !b->error; i++)
		if ((row = reader_peek(&b->ranks, &b->ranks.at[i], READ_OPS)))
			b->error = heap_push(&b->by_next_row,
				clock_common(&b->ranks.at[i].clock, row->value[OP_ROW_POST]),
				&b->ranks.at[i]);
	while (b->by_next_row.n && !b->error) {
		struct run_rank *rank = b->by_next_row.item[0].what;

		row = reader_peek(&b->ranks, rank, READ_OPS);
		take_op(b, rank, row->value);
		reader_step(rank, READ_OPS);
		row = reader_peek(&b->ranks, rank, READ_OPS);
		if (row)
			heap_delay(&b->by_next_row,
				clock_common(&rank->clock, row->value[OP_ROW_POST]));
		else
			heap_pop(&b->by_next_row);
	}
	queues_drain(&b->queues, drop_op, b);
}

/* The correction of a group's common time, and its error. */
static int64_t later_by(const struct group *g, int64_t at, int64_t *error_ns)
{
	const struct knot *k = g->knot, *last = k + g->nknots - 1;
	double part;

	if (g->nknots == 0)
		return 0;
	while (k + 1 < last && at >= k[1].at)
		k++;
	if (k == last || at <= k->at || at >= k[1].at) {
		const struct knot *edge = k == last || at <= k->at ? k : k + 1;

		*error_ns = edge->error_ns;
		return edge->ns;
	}
	part = (double)(at - k->at) / (double)(k[1].at - k->at);
	*error_ns = k->error_ns + (int64_t)(part * (double)(k[1].error_ns - k->error_ns));
	return k->ns + (int64_t)(part * (double)(k[1].ns - k->ns));
}

static int64_t group_error_ns(const struct bounds *b, uint32_t g, int64_t at)
{
	struct clock_map *map = &b->ranks.clocks.map[g];
	int64_t error_ns = clock_error(map, at - map->point[0].offset_ns);

	later_by(&b->group[g], at, &error_ns);
	return error_ns;
}

/* Bounds of the other clock of a pair against the common time of `from`. */
static uint32_t collect(
	const struct bounds *b, const struct pair *p, uint32_t from, struct bound *out)
{
	const struct least *went = p->a == from ? p->there : p->back;
	const struct least *came = p->a == from ? p->back : p->there;
	uint32_t n = 0;

	for (int w = 0; w < WINDOWS; w++) {
		int64_t error_ns = 0;

		/* received there before it was sent here: the other clock must be later */
		if (went[w].any)
			out[n++] = (struct bound){ went[w].at,
				later_by(&b->group[from], went[w].at, &error_ns) - went[w].ns,
				false, (uint8_t)w };
		if (came[w].any)
			out[n++] = (struct bound){ came[w].at,
				later_by(&b->group[from], came[w].at, &error_ns) + came[w].ns, true,
				(uint8_t)w };
	}
	return n;
}

static bool is_broken(const struct bound *bound)
{
	return bound->upper ? bound->ns < 0 : bound->ns > 0;
}

static void add_knot(struct group *g, int64_t at, int64_t ns, int64_t error_ns)
{
	if (g->nknots == 0 || at > g->knot[g->nknots - 1].at)
		g->knot[g->nknots++] = (struct knot){ at, ns, error_ns };
}

/*
 * A clock measured at both ends: it is bent as far as a broken bound requires, and is unchanged in
 * stretches without broken bounds.
 */
static void bend(struct bounds *b, uint32_t g, const struct bound *bound, uint32_t n)
{
	const struct clock_map *map = &b->ranks.clocks.map[g];
	struct group *group = &b->group[g];
	uint32_t broken = 0;

	for (uint32_t i = 0; i < n; i++)
		broken += is_broken(&bound[i]);
	if (!broken)
		return;
	add_knot(group, b->begin, 0, map->point[0].error_ns);
	for (uint32_t i = 0; i < n; i++) {
		bool two = i + 1 < n && bound[i + 1].window == bound[i].window;
		const struct bound *which =
			two && is_broken(&bound[i + 1]) ? &bound[i + 1] : &bound[i];
		int64_t ns = is_broken(which) ? which->ns : 0;

		i += two;
		if (which->at < b->end)
			add_knot(group, which->at, ns,
				llabs(ns) + clock_error(map, which->at - map->point[0].offset_ns));
	}
	add_knot(group, b->end, 0, map->point[map->npoints - 1].error_ns);
}

/* A clock not measured, or once: it goes between the bounds; the measurement is a bound, too. */
static void straighten(struct bounds *b, uint32_t from, uint32_t g, struct bound *bound, uint32_t n)
{
	const struct clock_map *map = &b->ranks.clocks.map[g];
	const int64_t edges[2] = { b->begin, b->end };

	if (map->point[0].error_ns != INT64_MAX) {
		int64_t at = map->point[0].at_ns + map->point[0].offset_ns;

		bound[n++] = (struct bound){ at, map->point[0].error_ns, true, WINDOWS };
		bound[n++] = (struct bound){ at, -map->point[0].error_ns, false, WINDOWS };
	}
	for (int i = 0; i < 2; i++) {
		int64_t ns, own_ns, error_ns = group_error_ns(b, from, edges[i]);

		if (bound_span(bound, n, CLOCK_DRIFT_MAX, edges[i], &ns, &own_ns))
			add_knot(&b->group[g], edges[i], ns,
				error_ns == INT64_MAX ? error_ns : error_ns + own_ns);
	}
}

/* The pair with most messages between a corrected clock and an uncorrected one, or NULL. */
static const struct pair *next_pair(const struct bounds *b, bool measured)
{
	const struct pair *best = NULL;

	for (uint32_t i = 0; i < 2 * PAIRS_MAX; i++) {
		const struct pair *p = &b->pair[i];

		if (p->used && b->group[p->a].settled != b->group[p->b].settled &&
			b->group[b->group[p->a].settled ? p->b : p->a].measured == measured &&
			(!best || p->messages > best->messages))
			best = p;
	}
	return best;
}

/* Marks a measured clock without messages as done. False: there is none left. */
static bool settle_alone(struct bounds *b)
{
	for (uint32_t i = 0; i < b->c->n; i++) {
		struct group *g = &b->group[b->c->group[i]];

		if (g->measured && !g->settled)
			return g->settled = true;
	}
	return false;
}

static void settle_clocks(struct bounds *b)
{
	struct bound bound[BOUNDS_MAX];
	const struct pair *p;

	for (uint32_t g = 0; g < b->c->n; g++) {
		const struct clock_map *map = &b->ranks.clocks.map[g];

		/* measured once: the error grows by the possible drift */
		b->group[g].measured =
			map->npoints > 1 && map->point[0].error_ns != INT64_MAX && !b->c->once[g];
	}
	b->group[b->c->group[0]].settled = true;
	while ((p = next_pair(b, true)) || settle_alone(b) || (p = next_pair(b, false))) {
		if (!p)
			continue;
		uint32_t from = b->group[p->a].settled ? p->a : p->b;
		uint32_t to = from == p->a ? p->b : p->a;
		uint32_t n = collect(b, p, from, bound);

		if (b->group[to].measured)
			bend(b, to, bound, n);
		else
			straighten(b, from, to, bound, n);
		b->group[to].settled = true;
	}
}

/* Makes a rank's map go through its group's knots instead of its points. */
static int move_rank(struct bounds *b, uint32_t i)
{
	const struct group *g = &b->group[b->c->group[i]];
	struct clock_map *old = &b->ranks.clocks.map[i], *map = &b->c->map[i];
	struct clock_point *point;

	if (g->nknots == 0)
		return 0;
	point = malloc(g->nknots * sizeof(*point));
	if (!point)
		return -ENOMEM;
	free(map->point);
	map->point = point;
	map->npoints = g->nknots;
	map->last = 0;
	for (uint32_t k = 0; k < g->nknots; k++) {
		int64_t own = clock_own(old, g->knot[k].at);

		point[k] = (struct clock_point){ own, g->knot[k].at + g->knot[k].ns - own,
			g->knot[k].error_ns };
	}
	clock_sort(map->point, &map->npoints);
	return 0;
}

static bool several_clocks(const struct clocks *c)
{
	for (uint32_t i = 1; i < c->n; i++)
		if (c->group[i] != c->group[0])
			return true;
	return false;
}

int bounds_apply(sqlite3 *db, struct clocks *c, const struct say *say)
{
	struct bounds b = { .c = c, .begin = INT64_MAX, .end = INT64_MIN };
	int rc;

	if (!several_clocks(c))
		return 0;
	worker_start(&b.worker, NULL);
	rc = ranks_open(&b.ranks, db, MEMORY, &b.worker, say);
	if (rc) {
		worker_stop(&b.worker);
		return rc;
	}
	b.pair = calloc(2 * PAIRS_MAX, sizeof(*b.pair));
	b.group = calloc(c->n, sizeof(*b.group));
	rc = b.pair && b.group ? queues_init(&b.queues) : -ENOMEM;
	for (uint32_t i = 0; i < b.ranks.n; i++) {
		b.begin = b.ranks.at[i].zero_ns < b.begin ? b.ranks.at[i].zero_ns : b.begin;
		b.end = b.ranks.at[i].end_ns > b.end ? b.ranks.at[i].end_ns : b.end;
	}
	if (!rc) {
		read_ops(&b);
		rc = b.error;
	}
	if (!rc)
		settle_clocks(&b);
	c->unknown = 0;
	for (uint32_t i = 0; i < c->n && !rc; i++) {
		rc = move_rank(&b, i);
		c->unknown += c->map[i].point[0].error_ns == INT64_MAX;
	}
	if (rc == -ENOMEM)
		say_line(say, "cannot compare clocks: %s", strerror(ENOMEM));
	worker_stop(&b.worker);
	queues_release(&b.queues);
	heap_release(&b.by_next_row);
	free(b.pair);
	free(b.group);
	ranks_close(&b.ranks);
	return rc;
}
