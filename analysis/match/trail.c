/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/match/trail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* For blocks of all lanes together, for writing and twice for each reader. */
enum { CALLS_BYTES = 16 << 20, WAITS_BYTES = 8 << 20 };

struct trail_lane {
	const struct run_rank *rank;
	int64_t last_leave;
	struct trail_call *ahead;	/* calls to come, by entry: [first, n) */
	uint32_t ahead_first, ahead_n, ahead_room;
};

int trail_init(struct trail *t, uint32_t nranks, uint32_t waits, const char *near)
{
	int rc;

	memset(t, 0, sizeof(*t));
	rc = strips_init(&t->calls, sizeof(struct trail_call), CALLS_BYTES, nranks, near);
	return rc ? rc : trail_waits_init(&t->waits, waits, WAITS_BYTES, nranks, near);
}

void trail_release(struct trail *t)
{
	for (uint32_t i = 0; i < t->nlanes; i++)
		free(t->lane[i].ahead);
	free(t->lane);
	strips_release(&t->calls);
	trail_waits_release(&t->waits);
	memset(t, 0, sizeof(*t));
}

const struct run_rank *trail_rank(const struct trail *t, uint32_t lane)
{
	return lane < t->nlanes ? t->lane[lane].rank : NULL;
}

int64_t trail_last_leave(const struct trail *t, uint32_t lane)
{
	return trail_rank(t, lane) ? t->lane[lane].last_leave : INT64_MIN;
}

static struct trail_lane *lane_at(struct trail *t, const struct run_rank *rank, uint32_t lane)
{
	if (lane >= t->nlanes) {
		uint32_t n = lane + 1 + t->nlanes / 2;
		struct trail_lane *more = realloc(t->lane, n * sizeof(*more));

		if (!more) {
			t->error = -ENOMEM;
			return NULL;
		}
		memset(more + t->nlanes, 0, (n - t->nlanes) * sizeof(*more));
		t->lane = more;
		t->nlanes = n;
	}
	if (!t->lane[lane].rank) {
		t->lane[lane].rank = rank;
		t->lane[lane].last_leave = INT64_MIN;
		trail_waits_lane(&t->waits, lane, rank->zero_ns);
	}
	return &t->lane[lane];
}

/* The next call in order of time. One that overlaps the one before begins behind it. */
static void append(struct trail *t, uint32_t lane, struct trail_call c)
{
	struct trail_lane *l = &t->lane[lane];

	if (c.enter < l->last_leave)
		c.enter = l->last_leave;
	if (c.leave <= c.enter)
		return;
	l->last_leave = c.leave;
	strips_add(&t->calls, lane, c.enter, c.callsite, &c);
}

static void flush_ahead(struct trail *t, uint32_t lane, int64_t before)
{
	struct trail_lane *l = &t->lane[lane];

	while (l->ahead_first < l->ahead_n && l->ahead[l->ahead_first].enter < before)
		append(t, lane, l->ahead[l->ahead_first++]);
	if (l->ahead_first == l->ahead_n)
		l->ahead_first = l->ahead_n = 0;
}

/* Keeps a call for later, in order; several ops name the same call. */
static void keep_ahead(struct trail *t, struct trail_lane *l, const struct trail_call *c)
{
	uint32_t i;

	if (l->ahead_n == l->ahead_room) {
		uint32_t room = l->ahead_room ? l->ahead_room * 2 : 64;
		struct trail_call *more;

		if (l->ahead_first > l->ahead_room / 2) {
			memmove(l->ahead, l->ahead + l->ahead_first,
				(l->ahead_n - l->ahead_first) * sizeof(*l->ahead));
			l->ahead_n -= l->ahead_first;
			l->ahead_first = 0;
		} else {
			more = realloc(l->ahead, room * sizeof(*more));
			if (!more) {
				t->error = -ENOMEM;
				return;
			}
			l->ahead = more;
			l->ahead_room = room;
		}
	}
	for (i = l->ahead_n; i > l->ahead_first && l->ahead[i - 1].enter >= c->enter; i--)
		if (l->ahead[i - 1].enter == c->enter)
			return;
	memmove(&l->ahead[i + 1], &l->ahead[i], (l->ahead_n - i) * sizeof(*l->ahead));
	l->ahead[i] = *c;
	l->ahead_n++;
}

void trail_call(struct trail *t, const struct run_rank *rank, uint32_t lane, int64_t enter,
	int64_t leave, uint32_t callsite)
{
	const struct trail_call c = { .enter = enter, .leave = leave, .callsite = callsite };
	struct trail_lane *l = lane_at(t, rank, lane);

	if (l)
		keep_ahead(t, l, &c);
}

/* All calls of the lane that enter before `ns` have come. */
void trail_passed(struct trail *t, const struct run_rank *rank, uint32_t lane, int64_t ns)
{
	if (lane_at(t, rank, lane))
		flush_ahead(t, lane, ns);
}

void trail_end(struct trail *t)
{
	for (uint32_t i = 0; i < t->nlanes; i++)
		if (t->lane[i].rank)
			flush_ahead(t, i, INT64_MAX);
	trail_waits_end(&t->waits);
	if (!t->error)
		t->error = t->calls.error ? t->calls.error : t->waits.error;
}

void trail_walk_begin(struct strips_view *calls, struct trail_walk *w, uint32_t lane, int64_t from,
	int64_t to)
{
	uint32_t low = 0, high, n, blocks = strips_blocks(calls->strips, lane);

	*w = (struct trail_walk){ .calls = calls, .lane = lane, .from = from, .at = to };
	if (blocks == 0)
		return;
	w->block = strips_find(calls, lane, to);
	w->record = strips_read(calls, lane, w->block, &n);
	for (high = n; low < high;) {
		uint32_t middle = low + (high - low) / 2;

		if (w->record[middle].enter < to)
			low = middle + 1;
		else
			high = middle;
	}
	w->next = low;
	if (low < n)
		w->later = w->record[low].callsite;
	else if (w->block + 1 < blocks)
		w->later = strips_entry(calls->strips, lane, w->block + 1)->mark;
}

/* The call before the place where the walk is; NULL: there is none. */
static const struct trail_call *call_before(struct trail_walk *w)
{
	if (w->next == 0 && w->block > 0)
		w->record = strips_read(w->calls, w->lane, --w->block, &w->next);
	return w->next ? &w->record[w->next - 1] : NULL;
}

bool trail_walk_next(struct trail_walk *w, struct trail_piece *piece)
{
	const struct trail_call *c;

	if (w->at <= w->from)
		return false;
	c = call_before(w);
	piece->to = w->at;
	if (!c || c->leave < w->at) {
		piece->computes = true;
		piece->from = c && c->leave > w->from ? c->leave : w->from;
		piece->callsite = w->later;
		piece->after = c ? c->callsite : 0;
	} else {
		piece->computes = false;
		piece->from = c->enter > w->from ? c->enter : w->from;
		piece->callsite = c->callsite;
		piece->after = 0;
		w->later = c->callsite;
		w->next--;
	}
	w->at = piece->from;
	return piece->to > piece->from || w->at > w->from;
}
