/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/match/others.h"

#include <errno.h>
#include <stdlib.h>

enum {
	OTHER_MIN_NS = 1000,
	GAP_NS = 50000		/* as in polling: DESIGN, section 1 */
};

/* Where one lane's calls have got to. */
struct place {
	int64_t done;		/* up to here busy intervals were handled */
	uint32_t block, next;	/* the first call that ends behind it */
	uint32_t before;	/* callsite of the call before that one; 0: there is none */
	struct trail_other open;	/* no call has come since; inside_ns 0: none */
};

struct others {
	struct trail *trail;
	struct strips_view calls;
	struct place *lane;
};

static const struct trail_call *call_at(struct others *o, uint32_t lane)
{
	struct place *at = &o->lane[lane];
	const struct trail_call *record;
	uint32_t n;

	if (at->block >= strips_blocks(&o->trail->calls, lane))
		return NULL;
	record = strips_read(&o->calls, lane, at->block, &n);
	if (record && at->next == n && at->block + 1 < strips_blocks(&o->trail->calls, lane)) {
		at->next = 0;
		record = strips_read(&o->calls, lane, ++at->block, &n);
	}
	return record && at->next < n ? &record[at->next] : NULL;
}

static void end_stretch(struct others *o, uint32_t lane)
{
	struct trail_other *open = &o->lane[lane].open;

	if (open->inside_ns)
		strips_add(&o->trail->others, lane, open->enter, 0, open);
	open->inside_ns = 0;
}

/* Inside MPI in [from, to], in no call of which there is a row; `next` is the one behind it. */
static void add_other(struct others *o, uint32_t lane, int64_t from, int64_t to,
	const struct trail_call *next)
{
	struct trail_other *open = &o->lane[lane].open;
	const bool polled = next && next->polled_us &&
		next->enter - (from + to) / 2 <= 1000 * (int64_t)next->polled_us;
	const uint32_t what = polled ? TRAIL_CALL : TRAIL_OTHER;

	if (to - from < OTHER_MIN_NS)
		return;
	if (open->inside_ns && open->what == what && from - open->leave < GAP_NS) {
		open->leave = to;
		open->inside_ns += to - from;
		return;
	}
	end_stretch(o, lane);
	*open = (struct trail_other){ .enter = from, .leave = to, .inside_ns = to - from, .what = what,
		.after = o->lane[lane].before };
}

/* The lane was inside MPI in [from, to]. */
static void take_busy(struct others *o, uint32_t lane, int64_t from, int64_t to)
{
	struct place *at = &o->lane[lane];
	const struct trail_call *c = call_at(o, lane);

	/* a call from a callback has ended before the call that it was made in */
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
			add_other(o, lane, from, to, c);
			break;
		}
		add_other(o, lane, from, c->enter, c);
		from = c->leave;
	}
	at->done = to > at->done ? to : at->done;
}

static void take_rank(struct others *o, struct run_ranks *r, struct run_rank *rank)
{
	const struct row *row;

	reader_rewind(r, rank, READ_BUSY);
	while ((row = reader_peek(r, rank, READ_BUSY)) != NULL && !o->calls.error) {
		const int64_t *v = row->value;
		uint32_t thread = v[BUC_THREAD] == ROW_NULL ? 0 : (uint32_t)v[BUC_THREAD];
		uint32_t lane = thread < rank->nlanes ? rank->lane[thread] : 0;

		if (lane && trail_rank(o->trail, lane - 1))
			take_busy(o, lane - 1, clock_common(&rank->clock, v[BUC_ENTER]),
				clock_common(&rank->clock, v[BUC_ENTER] + v[BUC_SPAN]));
		reader_step(rank, READ_BUSY);
	}
}

int others_find(struct trail *t, struct run_ranks *r)
{
	struct others o = { .trail = t, .lane = calloc(t->nlanes + 1, sizeof(*o.lane)) };
	int rc = o.lane ? strips_view(&t->calls, &o.calls) : -ENOMEM;

	for (uint32_t i = 0; !rc && i < t->nlanes; i++)
		o.lane[i].done = INT64_MIN;
	for (uint32_t i = 0; !rc && i < r->n; i++) {
		take_rank(&o, r, &r->at[i]);
		rc = o.calls.error ? o.calls.error : t->others.error;
	}
	for (uint32_t i = 0; !rc && i < t->nlanes; i++)
		end_stretch(&o, i);
	rc = rc ? rc : t->others.error;
	if (o.calls.strips)
		strips_view_release(&o.calls);
	free(o.lane);
	t->error = t->error ? t->error : rc;
	return rc;
}
