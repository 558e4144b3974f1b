/* SPDX-License-Identifier: BSD-3-Clause */
/* history.c: keeps the calls of each thread as they become known (history.h). */
#include "analysis/blame/history.h"
#include "analysis/base/array.h"
#include "analysis/base/bisect.h"
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Memory for blocks of all lanes together: once for writing, twice for each reader. */
enum { CALLS_BYTES = 16 << 20, OTHERS_BYTES = 4 << 20, OFF_BYTES = 2 << 20, WAITS_BYTES = 8 << 20 };

struct history_lane {
	const struct run_rank *rank;
	int64_t last_leave;
	struct history_call *ahead; /* calls to come, by entry: [first, n) */
	uint32_t ahead_first, ahead_n, ahead_room;
};

int history_init(struct history *t, uint32_t nranks, uint32_t waits, const char *near)
{
	int rc;

	memset(t, 0, sizeof(*t));
	rc = lane_logs_init(&t->calls, sizeof(struct history_call), CALLS_BYTES, nranks, near);
	if (!rc)
		rc = lane_logs_init(
			&t->others, sizeof(struct history_other), OTHERS_BYTES, nranks, near);
	if (!rc)
		rc = lane_logs_init(&t->off, sizeof(struct history_off), OFF_BYTES, nranks, near);
	return rc ? rc : history_waits_init(&t->waits, waits, WAITS_BYTES, nranks, near);
}

void history_release(struct history *t)
{
	for (uint32_t i = 0; i < t->nlanes; i++)
		free(t->lane[i].ahead);
	free(t->lane);
	lane_logs_release(&t->calls);
	lane_logs_release(&t->others);
	lane_logs_release(&t->off);
	history_waits_release(&t->waits);
	memset(t, 0, sizeof(*t));
}

const struct run_rank *history_rank(const struct history *t, uint32_t lane)
{
	return lane < t->nlanes ? t->lane[lane].rank : NULL;
}

int64_t history_last_leave(const struct history *t, uint32_t lane)
{
	return history_rank(t, lane) ? t->lane[lane].last_leave : INT64_MIN;
}

static struct history_lane *lane_at(struct history *t, const struct run_rank *rank, uint32_t lane)
{
	if (array_cover(&t->lane, sizeof(*t->lane), &t->nlanes, lane)) {
		t->error = -ENOMEM;
		return NULL;
	}
	if (!t->lane[lane].rank) {
		t->lane[lane].rank = rank;
		t->lane[lane].last_leave = INT64_MIN;
		history_waits_lane(&t->waits, lane, rank->zero_ns);
	}
	return &t->lane[lane];
}

/* Writes the next call in order of time. If it overlaps the previous call, it begins at that end.
 */
static void append(struct history *t, uint32_t lane, struct history_call c)
{
	struct history_lane *l = &t->lane[lane];

	if (c.enter < l->last_leave)
		c.enter = l->last_leave;
	if (c.leave <= c.enter)
		return;
	l->last_leave = c.leave;
	lane_logs_add(&t->calls, lane, c.enter, c.callsite, &c);
}

static void flush_ahead(struct history *t, uint32_t lane, int64_t before)
{
	struct history_lane *l = &t->lane[lane];

	while (l->ahead_first < l->ahead_n && l->ahead[l->ahead_first].enter < before)
		append(t, lane, l->ahead[l->ahead_first++]);
	if (l->ahead_first == l->ahead_n)
		l->ahead_first = l->ahead_n = 0;
}

/* Keeps a call for later, in order. Several ops may name the same call. */
static void keep_ahead(struct history *t, struct history_lane *l, const struct history_call *c)
{
	uint32_t i;

	if (l->ahead_n == l->ahead_room && l->ahead_first > l->ahead_room / 2) {
		memmove(l->ahead, l->ahead + l->ahead_first,
			(l->ahead_n - l->ahead_first) * sizeof(*l->ahead));
		l->ahead_n -= l->ahead_first;
		l->ahead_first = 0;
	}
	if (array_room(&l->ahead, sizeof(*l->ahead), &l->ahead_room, l->ahead_n)) {
		t->error = -ENOMEM;
		return;
	}
	for (i = l->ahead_n; i > l->ahead_first && l->ahead[i - 1].enter >= c->enter; i--)
		if (l->ahead[i - 1].enter == c->enter) {
			if (l->ahead[i - 1].polled_us < c->polled_us)
				l->ahead[i - 1].polled_us = c->polled_us;
			return;
		}
	memmove(&l->ahead[i + 1], &l->ahead[i], (l->ahead_n - i) * sizeof(*l->ahead));
	l->ahead[i] = *c;
	l->ahead_n++;
}

void history_call(struct history *t, const struct run_rank *rank, uint32_t lane,
	const struct history_call *call)
{
	struct history_lane *l = lane_at(t, rank, lane);

	if (l)
		keep_ahead(t, l, call);
}

/* All calls of the lane that enter before `ns` have come. */
void history_passed(struct history *t, const struct run_rank *rank, uint32_t lane, int64_t ns)
{
	if (lane_at(t, rank, lane))
		flush_ahead(t, lane, ns);
}

void history_end(struct history *t)
{
	for (uint32_t i = 0; i < t->nlanes; i++)
		if (t->lane[i].rank)
			flush_ahead(t, i, INT64_MAX);
	history_waits_end(&t->waits);
	if (!t->error)
		t->error = t->calls.error ? t->calls.error : t->waits.error;
}

int history_view(const struct history *t, struct history_view *out)
{
	int calls = lane_logs_view(&t->calls, &out->calls),
	    others = lane_logs_view(&t->others, &out->others),
	    off = lane_logs_view(&t->off, &out->off);

	return calls ? calls : others ? others : off;
}

void history_view_release(struct history_view *v)
{
	lane_logs_view_release(&v->calls);
	lane_logs_view_release(&v->others);
	lane_logs_view_release(&v->off);
}

int history_view_error(const struct history_view *v)
{
	return v->calls.error ? v->calls.error : v->others.error ? v->others.error : v->off.error;
}

/*
 * Positions behind the lane's last record that enters before `to`. Returns the number of records in
 * its block.
 */
static uint32_t find_place(
	struct lane_logs_view *v, uint32_t lane, int64_t to, struct history_place *place)
{
	uint32_t n;

	if (lane_logs_blocks(v->logs, lane) == 0)
		return 0;
	place->block = lane_logs_find(v, lane, to);
	place->record = lane_logs_read(v, lane, place->block, &n);
	/* a record's first member is when it enters */
	place->next = bisect_below(place->record, v->logs->record_bytes, 0, n, to);
	return n;
}

void history_walk_begin(
	struct history_view *view, struct history_walk *w, uint32_t lane, int64_t from, int64_t to)
{
	const struct lane_logs *calls = view->calls.logs;
	uint32_t n;

	*w = (struct history_walk){ .view = view, .lane = lane, .from = from, .at = to };
	n = find_place(&view->calls, lane, to, &w->calls);
	if (w->calls.next < n)
		w->later = ((const struct history_call *)w->calls.record)[w->calls.next].callsite;
	else if (w->calls.block + 1 < lane_logs_blocks(calls, lane))
		w->later = lane_logs_entry(calls, lane, w->calls.block + 1)->mark;
	find_place(&view->others, lane, to, &w->others);
	find_place(&view->off, lane, to, &w->off);
}

/* The record before the walk's position, or NULL. */
static inline const void *record_before(
	struct lane_logs_view *v, uint32_t lane, struct history_place *place, size_t bytes)
{
	if (place->next == 0 && place->block > 0)
		place->record = lane_logs_read(v, lane, --place->block, &place->next);
	return place->next ? (const char *)place->record + (place->next - 1) * bytes : NULL;
}

/* A stretch is given as if its calls came last, since only the two lengths matter. */
static void tell_stretch(
	struct history_walk *w, const struct history_other *o, struct history_piece *piece)
{
	const int64_t all = o->leave - o->enter, from = o->enter > w->from ? o->enter : w->from;

	if (!w->told && o->inside_ns < all) {
		piece->what = (enum history_what)o->what;
		piece->from = w->at -
			(int64_t)((double)(w->at - from) * (double)o->inside_ns / (double)all);
		w->told = true;
		return;
	}
	piece->what = w->told ? HISTORY_COMPUTATION : (enum history_what)o->what;
	piece->from = from;
	w->told = false;
	w->others.next--;
}

/* The sum of the piece to which a time without a CPU adds; NULL: none. has_row: of a call. */
static int64_t *off_in(struct history_piece *piece, bool has_row, uint32_t what)
{
	if (what == OFF_CPU_POLLING)
		return has_row ? &piece->no_cpu_ns : NULL;
	if (piece->what != HISTORY_COMPUTATION)
		return NULL;
	return what == OFF_CPU_PREEMPTED ? &piece->no_cpu_ns : &piece->blocked_ns;
}

/* Adds up the times without a CPU in a piece. Pieces come from the last to the first. */
static void find_off(struct history_walk *w, struct history_piece *piece, bool has_row)
{
	const struct history_off *o;

	while ((o = record_before(&w->view->off, w->lane, &w->off, sizeof(*o))) != NULL &&
		o->leave > piece->from) {
		const int64_t from = o->enter > piece->from ? o->enter : piece->from,
			      to = o->leave < piece->to ? o->leave : piece->to;
		int64_t *sum = off_in(piece, has_row, o->what);

		if (to > from && sum)
			*sum += to - from;
		if (o->enter < piece->from)
			return;
		w->off.next--;
	}
}

bool history_walk_next(struct history_walk *w, struct history_piece *piece)
{
	const struct history_call *c;
	const struct history_other *o;
	int64_t leave;

	if (w->at <= w->from)
		return false;
	c = record_before(&w->view->calls, w->lane, &w->calls, sizeof(*c));
	o = record_before(&w->view->others, w->lane, &w->others, sizeof(*o));
	if (o && c && o->leave <= c->enter)
		o = NULL;
	leave = o ? o->leave : c ? c->leave : INT64_MIN;
	piece->to = w->at;
	piece->callsite = w->later;
	piece->after = o ? o->after : c ? c->callsite : 0;
	if (leave < w->at) {
		piece->what = HISTORY_COMPUTATION;
		piece->from = leave > w->from ? leave : w->from;
	} else if (o) {
		tell_stretch(w, o, piece);
	} else {
		piece->what = HISTORY_CALL;
		piece->from = c->enter > w->from ? c->enter : w->from;
		w->later = piece->callsite = c->callsite;
		w->calls.next--;
	}
	if (piece->what == HISTORY_CALL)
		piece->after = 0;
	piece->no_cpu_ns = piece->blocked_ns = 0;
	find_off(w, piece, piece->what == HISTORY_CALL && !o);
	w->at = piece->from;
	return piece->to > piece->from || w->at > w->from;
}
