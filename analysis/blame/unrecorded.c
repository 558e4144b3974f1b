/* SPDX-License-Identifier: BSD-3-Clause */
/* unrecorded.c: compares busy intervals with the calls that have rows (unrecorded.h). */
#include "analysis/blame/unrecorded.h"

#include <errno.h>
#include <stdlib.h>

#include "record.h"

enum {
	OTHER_MIN_NS = 1000,
	GAP_NS = 50000 /* as in polling */
};

/* The progress through one lane's calls. */
struct place {
	int64_t done; /* busy intervals are handled up to here */
	int64_t off;  /* the end of its last time without a CPU so far */
	/* the first wait that was not over when the last time without a CPU inside a call began */
	uint32_t wait_block, wait;
	uint32_t block, next;      /* the first call that ends after `done` */
	uint32_t before;           /* callsite of the call before that one; 0: there is none */
	struct history_other open; /* a stretch without a later call so far; inside_ns 0: none */
	struct {
		int64_t from, to;
		uint64_t number; /* number of the rank's busy row, from 1; 0: none */
	} held;                  /* its last busy interval so far */
};

struct unrecorded {
	struct history *history;
	struct lane_logs_view calls, waits;
	struct place *lane;
};

static const struct history_call *call_at(struct unrecorded *o, uint32_t lane)
{
	struct place *at = &o->lane[lane];
	const struct history_call *record;
	uint32_t n;

	if (at->block >= lane_logs_blocks(&o->history->calls, lane))
		return NULL;
	record = lane_logs_read(&o->calls, lane, at->block, &n);
	if (record && at->next == n && at->block + 1 < lane_logs_blocks(&o->history->calls, lane)) {
		at->next = 0;
		record = lane_logs_read(&o->calls, lane, ++at->block, &n);
	}
	return record && at->next < n ? &record[at->next] : NULL;
}

static void end_stretch(struct unrecorded *o, uint32_t lane)
{
	struct history_other *open = &o->lane[lane].open;

	if (open->inside_ns)
		lane_logs_add(&o->history->others, lane, open->enter, 0, open);
	open->inside_ns = 0;
}

/* In [from, to] the lane was in no call with a row; `next` is the following call. */
static void add_other(struct unrecorded *o, uint32_t lane, int64_t from, int64_t to,
	const struct history_call *next, enum history_what what)
{
	struct history_other *open = &o->lane[lane].open;
	const bool polled = next && next->polled_us &&
		next->enter - (from + to) / 2 <= 1000 * (int64_t)next->polled_us;

	if (to - from < OTHER_MIN_NS)
		return;
	if (what == HISTORY_OTHER && polled)
		what = HISTORY_CALL;
	if (open->inside_ns && open->what == what && from - open->leave < GAP_NS) {
		open->leave = to;
		open->inside_ns += to - from;
		return;
	}
	end_stretch(o, lane);
	*open = (struct history_other){ .enter = from,
		.leave = to,
		.inside_ns = to - from,
		.what = what,
		.after = o->lane[lane].before };
}

/* Records the parts of [from, to] that no call covers. */
static void take_interval(
	struct unrecorded *o, uint32_t lane, int64_t from, int64_t to, enum history_what what)
{
	struct place *at = &o->lane[lane];
	const struct history_call *c = call_at(o, lane);

	/* a call from a callback ends before its outer call */
	from = from > at->done ? from : at->done;
	while (from < to) {
		if (c && c->leave <= from) {
			end_stretch(o, lane);
			at->before = c->callsite;
			at->next++;
			c = call_at(o, lane);
			continue;
		}
		if (!c || c->enter >= to) {
			add_other(o, lane, from, to, c, what);
			break;
		}
		add_other(o, lane, from, c->enter, c, what);
		from = c->leave;
	}
	at->done = to > at->done ? to : at->done;
}

static void take_held(struct unrecorded *o, uint32_t lane)
{
	const struct place *at = &o->lane[lane];

	if (at->held.number)
		take_interval(o, lane, at->held.from, at->held.to, HISTORY_OTHER);
}

/*
 * Rows were not kept. A thread's last busy interval is always written at its end, behind all
 * others. If the thread ended earlier, or if rows of calls are missing, the time behind the last
 * row is unknown.
 */
static void take_cut(
	struct unrecorded *o, const struct run_rank *rank, bool calls_end, uint64_t last_number)
{
	for (uint32_t i = 0; i < rank->nlanes; i++) {
		uint32_t lane = rank->lane[i] - 1;
		const struct place *at = &o->lane[lane];

		if (!rank->lane[i] || !history_rank(o->history, lane))
			continue;
		if (!calls_end && at->held.number > last_number) {
			take_interval(o, lane, rank->zero_ns, at->held.from, HISTORY_NOT_RECORDED);
			take_held(o, lane);
		} else {
			take_held(o, lane);
			take_interval(o, lane, rank->zero_ns, rank->end_ns, HISTORY_NOT_RECORDED);
		}
	}
}

/*
 * The time from which rows of calls are missing: time inside MPI may then belong to such a call.
 */
static int64_t calls_cut(const struct run_rank *rank)
{
	int64_t cut = INT64_MAX;

	for (int table = 0; table < READ_TABLES; table++)
		if (table != READ_BUSY && rank->cut[table] && rank->last_ns[table] < cut)
			cut = rank->last_ns[table];
	return cut;
}

/* Records the time before this rank left MPI_Init, when others had left it. */
static void take_start(struct unrecorded *o, const struct run_rank *rank, int64_t first_zero)
{
	for (uint32_t i = 0; i < rank->nlanes; i++)
		if (rank->lane[i] && history_rank(o->history, rank->lane[i] - 1))
			take_interval(
				o, rank->lane[i] - 1, first_zero, rank->zero_ns, HISTORY_START);
}

static void take_rank(struct unrecorded *o, struct run_ranks *r, struct run_rank *rank)
{
	/* only those followed by another one of the same lane */
	uint64_t number = 0, last_number = 0;
	const int64_t cut = calls_cut(rank);
	const struct row *row;

	reader_rewind(r, rank, READ_BUSY);
	while ((row = reader_peek(r, rank, READ_BUSY)) != NULL && !o->calls.error) {
		const int64_t *v = row->value;
		uint32_t thread = v[BUSY_ROW_THREAD] == ROW_NULL ? 0 : (uint32_t)v[BUSY_ROW_THREAD];
		uint32_t lane = thread < rank->nlanes ? rank->lane[thread] : 0;
		int64_t enter = clock_common(&rank->clock, v[BUSY_ROW_ENTER]);

		number++;
		if (lane && history_rank(o->history, lane - 1) && enter <= cut) {
			struct place *at = &o->lane[lane - 1];

			take_held(o, lane - 1);
			if (at->held.number > last_number)
				last_number = at->held.number;
			at->held.from = enter;
			at->held.to =
				clock_common(&rank->clock, v[BUSY_ROW_ENTER] + v[BUSY_ROW_SPAN]);
			at->held.number = number;
		}
		reader_step(rank, READ_BUSY);
	}
	if (rank->cut[READ_BUSY] || cut < INT64_MAX)
		take_cut(o, rank, cut < INT64_MAX, last_number);
	else
		for (uint32_t i = 0; i < rank->nlanes; i++)
			if (rank->lane[i] && history_rank(o->history, rank->lane[i] - 1))
				take_held(o, rank->lane[i] - 1);
}

/* The lane's wait at *at of *block, or else the first of a later block; NULL: none is left. */
static const struct history_wait *wait_at(
	struct unrecorded *o, uint32_t lane, uint32_t *block, uint32_t *at)
{
	const struct history_wait *record = NULL;
	uint32_t n;

	while (*block < lane_logs_blocks(o->waits.logs, lane)) {
		record = lane_logs_read(&o->waits, lane, *block, &n);
		if (!record || *at < n)
			return record ? &record[*at] : NULL;
		++*block;
		*at = 0;
	}
	return NULL;
}

static void add_off(struct unrecorded *o, uint32_t lane, struct history_off off)
{
	int64_t *done = &o->lane[lane].off;

	if (off.enter < *done)
		off.enter = *done;
	if (off.leave <= off.enter)
		return;
	*done = off.leave;
	lane_logs_add(&o->history->off, lane, off.enter, 0, &off);
}

/*
 * A thread that waits may yield its CPU. Only the parts of the time outside waits are a loss: there
 * the call could have gone on.
 */
static void add_off_inside(struct unrecorded *o, uint32_t lane, struct history_off off)
{
	struct place *at = &o->lane[lane];
	const int64_t leave = off.leave;
	const struct history_wait *w;
	uint32_t block, wait;

	while ((w = wait_at(o, lane, &at->wait_block, &at->wait)) != NULL && w->until <= off.enter)
		at->wait++;
	block = at->wait_block;
	wait = at->wait;
	for (; off.enter < leave && (w = wait_at(o, lane, &block, &wait)) != NULL &&
		w->from < leave;
		wait++) {
		off.leave = w->from;
		add_off(o, lane, off);
		if (w->until > off.enter)
			off.enter = w->until;
	}
	off.leave = leave;
	add_off(o, lane, off);
}

/* Records when the rank's threads had no CPU. */
static void take_off(struct unrecorded *o, struct run_ranks *r, struct run_rank *rank)
{
	const struct row *row;

	reader_rewind(r, rank, READ_OFF_CPU);
	while ((row = reader_peek(r, rank, READ_OFF_CPU)) != NULL) {
		const int64_t *v = row->value, thread = v[OFF_CPU_ROW_THREAD];
		uint32_t lane = thread >= 0 && thread < rank->nlanes ? rank->lane[thread] : 0;
		const struct history_off off = { clock_common(&rank->clock, v[OFF_CPU_ROW_ENTER]),
			clock_common(&rank->clock, v[OFF_CPU_ROW_ENTER] + v[OFF_CPU_ROW_SPAN]),
			(uint32_t)v[OFF_CPU_ROW_WHAT] };

		reader_step(rank, READ_OFF_CPU);
		if (!lane || !history_rank(o->history, lane - 1))
			continue;
		if (off.what == OFF_CPU_POLLING)
			add_off_inside(o, lane - 1, off);
		else if (off.what == OFF_CPU_PREEMPTED || off.what == OFF_CPU_GAVE_UP)
			add_off(o, lane - 1, off);
	}
}

int unrecorded_find(struct history *t, struct run_ranks *r)
{
	struct unrecorded o = { .history = t, .lane = calloc(t->nlanes + 1, sizeof(*o.lane)) };
	int rc = o.lane ? lane_logs_view(&t->calls, &o.calls) : -ENOMEM;
	int64_t first_zero = INT64_MAX;

	if (!rc)
		rc = lane_logs_view(&t->waits.logs, &o.waits);

	for (uint32_t i = 0; !rc && i < t->nlanes; i++)
		o.lane[i].done = o.lane[i].off = INT64_MIN;
	/* a rank that never left MPI_Init has no time of its own */
	for (uint32_t i = 0; i < r->n; i++)
		if (r->at[i].zero_ns < first_zero && r->at[i].end_ns > r->at[i].zero_ns)
			first_zero = r->at[i].zero_ns;
	for (uint32_t i = 0; !rc && i < r->n; i++) {
		take_start(&o, &r->at[i], first_zero);
		take_rank(&o, r, &r->at[i]);
		take_off(&o, r, &r->at[i]);
		rc = o.calls.error      ? o.calls.error :
			o.waits.error   ? o.waits.error :
			t->others.error ? t->others.error :
					  t->off.error;
	}
	for (uint32_t i = 0; !rc && i < t->nlanes; i++)
		end_stretch(&o, i);
	rc = rc ? rc : t->others.error;
	if (o.calls.logs)
		lane_logs_view_release(&o.calls);
	if (o.waits.logs)
		lane_logs_view_release(&o.waits);
	free(o.lane);
	t->error = t->error ? t->error : rc;
	return rc;
}
