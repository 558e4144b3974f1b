/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/match/blame.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match/cells.h"
#include "analysis/store/db.h"

enum {
	PIECES_MAX = 20000,		/* of one rank's history of one wait */
	UNITS = 256			/* a cell's unit: ns / UNITS */
};

static const struct cells_layout blame_layout = {
	.table = "blame_cell", .columns = "rank, what, callsite, after, direct, passed",
	.keys = 4, .sums = 2
};

/* When all members of a lane's last collective were in step, and of the one before. */
struct lane_sync {
	uint32_t all, all_before;
	int64_t at, at_before;
};

/* When a pair of lanes was last in step. */
struct pair {
	uint64_t key;		/* lanes, the smaller one first, + 1; 0: free */
	int64_t at;
};

struct blame {
	struct trail *trail;
	const struct run_ranks *ranks;
	struct sites sites;
	struct lane_waits waits;
	struct cells *cells;
	struct activities *late, *waiting;
	struct pair *pair;
	uint64_t pair_mask, npairs;
	struct lane_sync *sync;
	struct blame_result *result;
	int code;		/* of SQLite */
};

static int by_until(const void *a, const void *b)
{
	const struct trail_wait *x = a, *y = b;

	if (x->until != y->until)
		return x->until < y->until ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static uint32_t index_of(const struct blame *b, uint32_t lane)
{
	return (uint32_t)(trail_rank(b->trail, lane) - b->ranks->at);
}

static struct pair *pair_slot(struct pair *table, uint64_t mask, uint64_t key)
{
	uint64_t i = key * 0x9e3779b97f4a7c15ULL >> 20 & mask;

	while (table[i].key && table[i].key != key)
		i = (i + 1) & mask;
	return &table[i];
}

static struct pair *pair_at(struct blame *b, uint32_t x, uint32_t y)
{
	uint64_t key = (x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x) + 1;

	if (!b->pair || b->npairs > b->pair_mask / 2) {
		uint64_t mask = b->pair ? b->pair_mask * 2 + 1 : 1023;
		struct pair *more = calloc(mask + 1, sizeof(*more));

		if (!more)
			return NULL;
		for (uint64_t i = 0; b->pair && i <= b->pair_mask; i++)
			if (b->pair[i].key)
				*pair_slot(more, mask, b->pair[i].key) = b->pair[i];
		free(b->pair);
		b->pair = more;
		b->pair_mask = mask;
	}
	return pair_slot(b->pair, b->pair_mask, key);
}

/* The lane's last collective that is not the one with number `all`. */
static void sync_before(const struct lane_sync *s, uint32_t all, uint32_t *number, int64_t *at)
{
	bool this_one = all && s->all == all;

	*number = this_one ? s->all_before : s->all;
	*at = this_one ? s->at_before : s->at;
}

static void sync_set(struct lane_sync *s, uint32_t all, int64_t at)
{
	if (!all || s->all == all)
		return;
	s->all_before = s->all;
	s->at_before = s->at;
	s->all = all;
	s->at = at;
}

/* Fills in_step of all waits, in order of time. */
static int find_in_step(struct blame *b)
{
	for (uint32_t i = 0; i < b->trail->nwaits; i++) {
		struct trail_wait *w = &b->trail->wait[i];
		const struct run_rank *x = trail_rank(b->trail, w->lane);
		const struct run_rank *y = trail_rank(b->trail, w->late);
		struct pair *pair = pair_at(b, w->lane, w->late);
		uint32_t all_x, all_y;
		int64_t at_x, at_y;

		if (!pair)
			return -ENOMEM;
		w->in_step = x->zero_ns > y->zero_ns ? x->zero_ns : y->zero_ns;
		if (pair->key && pair->at > w->in_step)
			w->in_step = pair->at;
		sync_before(&b->sync[w->lane], w->all, &all_x, &at_x);
		sync_before(&b->sync[w->late], w->all, &all_y, &at_y);
		if (all_x && all_x == all_y && at_x > w->in_step)
			w->in_step = at_x;
		if (w->in_step > w->from)
			w->in_step = w->from;
		b->npairs += !pair->key;
		pair->key = (w->lane < w->late ? (uint64_t)w->lane << 32 | w->late :
			(uint64_t)w->late << 32 | w->lane) + 1;
		pair->at = w->until;
		sync_set(&b->sync[w->lane], w->all, w->until);
		sync_set(&b->sync[w->late], w->all, w->until);
	}
	return 0;
}

/* Who asks goes through a lane's time step by step, so the answer is near the last one. */
uint32_t lane_waits_after(const struct lane_waits *waits, uint32_t lane, int64_t ns)
{
	uint32_t low = waits->first[lane], high = waits->first[lane + 1], at = waits->found[lane];
	const int64_t *until = waits->until;
	uint32_t step = 1;

	if (at < high && until[at] <= ns) {
		low = at + 1;
		for (; step < high - low && until[low + step] <= ns; step *= 2)
			low += step + 1;
		if (step < high - low)
			high = low + step;
	} else {
		high = at;
		for (; step < high - low && until[high - step] > ns; step *= 2)
			high -= step;
		if (step < high - low)
			low = high - step + 1;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (until[middle] <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	waits->found[lane] = low;
	return low;
}

/* Counting sort by lane: within a lane, the order of time stays. */
static int list_by_lane(const struct trail *t, struct lane_waits *waits)
{
	uint32_t *next = calloc(t->nlanes + 1, sizeof(*next));

	waits->first = calloc(t->nlanes + 2, sizeof(*waits->first));
	waits->found = calloc(t->nlanes + 1, sizeof(*waits->found));
	waits->list = calloc(t->nwaits + 1, sizeof(*waits->list));
	waits->until = calloc(t->nwaits + 1, sizeof(*waits->until));
	if (!next || !waits->first || !waits->found || !waits->list || !waits->until) {
		free(next);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < t->nwaits; i++)
		waits->first[t->wait[i].lane + 1]++;
	for (uint32_t i = 0; i <= t->nlanes; i++)
		waits->first[i + 1] += waits->first[i];
	memcpy(next, waits->first, t->nlanes * sizeof(*next));
	memcpy(waits->found, waits->first, t->nlanes * sizeof(*next));
	for (uint32_t i = 0; i < t->nwaits; i++) {
		uint32_t at = next[t->wait[i].lane]++;

		waits->list[at] = i;
		waits->until[at] = t->wait[i].until;
	}
	free(next);
	return 0;
}

static int64_t overlap(const struct trail_wait *w, int64_t from, int64_t to)
{
	int64_t a = w->from > from ? w->from : from, z = w->until < to ? w->until : to;

	return z > a ? z - a : 0;
}

/* What the lane did in [from, to]; returns how long it waited, which is in no activity. */
static int64_t profile(struct blame *b, struct activities *a, uint32_t lane, int64_t from, int64_t to)
{
	uint32_t rank = index_of(b, lane), pieces = 0;
	int64_t waited = 0;
	struct trail_piece piece;
	struct trail_walk walk;

	activities_clear(a);
	trail_walk_begin(b->trail, &walk, lane, from, to);
	while (trail_walk_next(b->trail, &walk, &piece)) {
		activities_add(a, &b->sites, rank, &piece, piece.to - piece.from);
		if (++pieces == PIECES_MAX) {
			b->result->cut++;
			break;
		}
	}
	for (uint32_t i = lane_waits_after(&b->waits, lane, walk.at);
		i < b->waits.first[lane + 1]; i++) {
		const struct trail_wait *w = &b->trail->wait[b->waits.list[i]];
		int64_t ns = overlap(w, walk.at, to);

		if (w->from >= to)
			break;
		piece = (struct trail_piece){ .callsite = w->callsite };
		activities_add(a, &b->sites, rank, &piece, -ns);
		waited += ns;
	}
	return waited;
}

static void give(struct blame *b, const struct trail_wait *w, const struct activity *a, double share)
{
	const int64_t key[] = { trail_rank(b->trail, w->late)->rank, a->computes, a->callsite, a->after };
	double own = (double)(w->until - w->from) / w->cost;
	struct cell *cell = cells_at(b->cells, key);

	if (!cell) {
		b->code = SQLITE_IOERR;
		return;
	}
	cell->sum[0] += llround(w->cost * share * own * UNITS);
	cell->sum[1] += llround(w->cost * share * (1 - own) * UNITS);
}

/* Of one kind of activity, by what the late rank had more of than the one that waited. */
static void give_kind(struct blame *b, const struct trail_wait *w, bool computes, double share)
{
	double more = 0, all = 0;

	for (uint32_t i = 0; i < b->late->n; i++) {
		const struct activity *a = &b->late->at[b->late->list[i]];
		int64_t ns = a->ns - activities_find(b->waiting, a->key);

		if (a->computes != computes)
			continue;
		more += ns > 0 ? (double)ns : 0;
		all += a->ns > 0 ? (double)a->ns : 0;
	}
	for (uint32_t i = 0; i < b->late->n; i++) {
		const struct activity *a = &b->late->at[b->late->list[i]];
		int64_t ns = more > 0 ? a->ns - activities_find(b->waiting, a->key) : a->ns;

		if (a->computes == computes && ns > 0)
			give(b, w, a, share * (double)ns / (more > 0 ? more : all));
	}
}

/* The late rank's own waits pay for theirs. */
static void pass_on(struct blame *b, const struct trail_wait *w, double share, int64_t waited)
{
	for (uint32_t i = lane_waits_after(&b->waits, w->late, w->in_step);
		i < b->waits.first[w->late + 1]; i++) {
		struct trail_wait *cause = &b->trail->wait[b->waits.list[i]];

		if (cause->from >= w->until || cause->until > w->until || cause == w)
			break;
		cause->cost += w->cost * share * (double)overlap(cause, w->in_step, w->until) /
			(double)waited;
	}
}

static void blame_wait(struct blame *b, const struct trail_wait *w)
{
	int64_t late_waited = profile(b, b->late, w->late, w->in_step, w->until);
	int64_t waited = profile(b, b->waiting, w->lane, w->in_step, w->from);
	double compute = (double)(b->late->compute_ns - b->waiting->compute_ns);
	double call = (double)(b->late->call_ns - b->waiting->call_ns);
	double wait = (double)(late_waited - waited), all;

	compute = compute > 0 ? compute : 0;
	call = call > 0 ? call : 0;
	wait = wait > 0 ? wait : 0;
	all = compute + call + wait;
	if (all <= 0) {
		const struct activity nothing = { .computes = true };

		give(b, w, &nothing, 1);
		return;
	}
	if (compute > 0)
		give_kind(b, w, true, compute / all);
	if (call > 0)
		give_kind(b, w, false, call / all);
	if (wait > 0)
		pass_on(b, w, wait / all, late_waited);
}

static int blame_all(struct blame *b)
{
	struct trail *t = b->trail;
	int code = cells_new(b->ranks->db, &blame_layout, &b->cells);

	if (code != SQLITE_OK)
		return db_say(b->ranks->db, code, "write", b->ranks->say);
	for (uint32_t i = 0; i < t->nwaits; i++) {
		t->wait[i].cost = (double)(t->wait[i].until - t->wait[i].from);
		b->result->waits_ns += t->wait[i].until - t->wait[i].from;
	}
	for (uint32_t i = t->nwaits; i-- > 0 && !b->code && !t->error;)
		blame_wait(b, &t->wait[i]);
	if (b->code == SQLITE_OK)
		b->code = cells_flush(b->cells);
	if (b->code != SQLITE_OK)
		return db_say(b->ranks->db, b->code, "write", b->ranks->say);
	if (t->error)
		say_line(b->ranks->say, "cannot keep what ranks did: %s", strerror(-t->error));
	return t->error;
}

int blame_run(struct trail *t, const struct run_ranks *ranks, struct blame_result *result)
{
	struct blame b = { .trail = t, .ranks = ranks, .result = result };
	int rc = 0;

	memset(result, 0, sizeof(*result));
	trail_end(t);
	if (t->nwaits)
		qsort(t->wait, t->nwaits, sizeof(*t->wait), by_until);
	result->left_out = t->left_out;
	result->left_out_ns = t->left_out_ns;
	b.late = calloc(1, sizeof(*b.late));
	b.waiting = calloc(1, sizeof(*b.waiting));
	b.sync = calloc(t->nlanes + 1, sizeof(*b.sync));
	if (!b.late || !b.waiting || !b.sync)
		rc = -ENOMEM;
	if (!rc)
		rc = sites_read(&b.sites, ranks);
	if (!rc)
		rc = find_in_step(&b);
	if (!rc)
		rc = list_by_lane(t, &b.waits);
	if (!rc)
		rc = blame_all(&b);
	if (!rc)
		rc = path_run(t, ranks, &b.sites, &b.waits, result);
	cells_free(b.cells);
	sites_release(&b.sites);
	free(b.waits.list);
	free(b.waits.until);
	free(b.waits.first);
	free(b.waits.found);
	free(b.late);
	free(b.waiting);
	free(b.pair);
	free(b.sync);
	return rc;
}
