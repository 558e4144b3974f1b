/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c: lanes, call by call.
 *
 *	lanes that can go on --one--> enters its call, posts --> lanes that stood for it can go on
 *	                              needs others: stands until they have posted
 *	                              else: leaves, computes, enters the next one
 *
 * A call ends its time without waits after the last post that it needs, or after its entry. Posts
 * have times, so the order in which lanes take turns does not count. A lane goes on for as long as
 * it can, because its calls lie next to each other in memory.
 *
 * Some calls ask what other lanes have done until a certain time: replay_asks(). If the answer is
 * unknown yet, the call is put off (turns.h). When no lane can go on, the earliest call that was
 * put off leaves. No lane can do anything earlier than this call any more, with two exceptions.
 * Where clocks differ, a call leaves up to early_ns, at most 100 us, before its last needed post. A
 * call that missed a stay of the other rank (graph.h) may leave up to 10 us before the time for
 * which it asked. An answer may miss such a time.
 */
#include "analysis/replay/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/replay/message.h"
#include "analysis/replay/path.h"
#include "analysis/replay/turns.h"
#include "analysis/traffic/traffic.h"

#define STEPS_MAX 1e8 /* of traffic: about a second */

/* The partners that a call waited for, in the order of arrival; receives before sends. */
struct edge {
	int64_t released;
	const struct replay_part *part;
	enum replay_needs needs;
};

struct run {
	struct replay_graph *g;
	const struct replay_scenario *scenario; /* NULL: as measured */
	struct replay_result *out;
	struct turns turns;
	int64_t now; /* others count up to here for the call that is left; INT64_MAX: no limit */
	/*
	 * That call leaves no earlier: all its sends that ask for progress have arrived then, so
	 * that no call leaves before the time for which it asks. INT64_MIN: no limit.
	 */
	int64_t leaves_from;
	const struct replay_lane *turn; /* the lane that takes its turn */
	bool goes_on;                   /* it can enter its next call */
	struct traffic *traffic;        /* between hosts; NULL: none is followed */
	struct edge *edge;              /* of the call that is left */
	uint32_t room;
	bool ordered;       /* calls may ask */
	bool asks_progress; /* ... for progress: sends must know when their receives were done */
	int error;
};

/* Rounds a calculated time to whole ns, at most REPLAY_NS_MAX. */
static int64_t whole_ns(double ns)
{
	const double most = (double)REPLAY_NS_MAX;

	if (ns == 0) /* as most are */
		return 0;
	return llround(ns > most ? most : ns < -most ? -most : ns);
}

/* The index of the rank that posted the part. */
static uint32_t rank_of(const struct run *r, const struct replay_part *part)
{
	return r->g->lane[part->lane].rank;
}

/* Does the send's call leave once its receiver is inside MPI, by (4b) or (5)? */
static bool asks_progress(const struct replay_part *part)
{
	return part->asks && part->is_send &&
		(part->now == NEEDS_PROGRESS || part->now == NEEDS_PARTNER);
}

/* When the message of a send that asks for progress has arrived. */
static int64_t arrival(const struct run *r, const struct replay_part *part)
{
	return replay_later(part->at, r->g->detail[part - r->g->part].arrival_ns);
}

/*
 * Does the part wait until the other rank is inside MPI? Else its measured wait for the other
 * side's progress, if any, stays as it was.
 */
static bool follows(const struct run *r, const struct replay_part *part)
{
	const bool spared = part->now == NEEDS_NOBODY && part->needs != NEEDS_NOBODY;

	return part->has_lag && (part->progress_ns > 0 || !spared) &&
		replay_keeps_progress(r->scenario, rank_of(r, part), part);
}

/*
 * When a wait for progress that is replayed ends. INT64_MIN: the other rank is inside MPI when the
 * part could begin to wait for it. by_model: only the model gives the call's time.
 */
static int64_t followed_until(const struct run *r, const struct replay_lane *lane,
	const struct replay_part *part, bool by_model)
{
	const struct replay_call *call = &r->g->call[lane->next];
	const uint32_t other = r->g->lane[r->g->part[part->partner].lane].rank;
	int64_t since, inside, lag;

	if (!r->scenario)
		return lane->at + replay_part_wait(call, part);
	since = replay_progress_since(r->g, part);
	inside = replay_rank_inside(r->g, other, since, r->now);
	lag = r->g->detail[part - r->g->part].lag_ns;
	/* a negative lag leaves a measured rest of the call, which a model's time lacks */
	return inside > since ? inside + (by_model && lag < 0 ? 0 : lag) : INT64_MIN;
}

static bool has_come(const struct replay_graph *g, const struct replay_part *part)
{
	const struct replay_instance *it =
		part->instance == REPLAY_NONE ? NULL : &g->instance[part->instance];

	switch (part->now) {
	case NEEDS_PARTNER:
		if (part->between)
			return g->detail[part - g->part].over_at != INT64_MIN;
		return g->part[part->partner].at != INT64_MIN;
	case NEEDS_ALL:
		return it->come == it->n;
	case NEEDS_ROOT:
		return g->part[it->root].at != INT64_MIN;
	case NEEDS_LOWER:
		return it->lower >= part->partner;
	default:
		return true;
	}
}

static int by_release(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->part->is_send != y->part->is_send)
		return x->part->is_send ? 1 : -1;
	return (x->released > y->released) - (x->released < y->released);
}

/* The call stood in [from, until]: whose wait that was. */
static void share_wait(
	struct run *r, uint32_t rank, struct edge *edge, uint32_t n, int64_t from, int64_t until)
{
	if (n > 1)
		qsort(edge, n, sizeof(*edge), by_release);
	for (uint32_t i = 0; i < n && from < until; i++) {
		const struct replay_part *part = edge[i].part;
		const int64_t to = edge[i].released < until ? edge[i].released : until;

		if (to <= from)
			continue;
		r->out->site[part->site].wait_ns[replay_cause_of(part, edge[i].needs)] += to - from;
		r->out->site[part->site].waits++;
		r->out->rank[rank].wait_ns += to - from;
		from = to;
	}
}

/* Does the part's measured wait for progress stay as it was? If so, it is counted. */
static bool keeps_progress(
	struct run *r, const struct replay_lane *lane, const struct replay_part *part)
{
	/* if traffic follows the message, over_at already includes this wait */
	if ((part->between && part->now == NEEDS_PARTNER) ||
		!replay_keeps_progress(r->scenario, lane->rank, part))
		return false;
	r->out->site[part->site].wait_ns[REPLAY_LATE_PROGRESS] += part->progress_ns;
	r->out->site[part->site].waits++;
	r->out->rank[lane->rank].wait_ns += part->progress_ns;
	return true;
}

/* When what the part needs had come, less what clocks differ by. INT64_MIN: it waits for nobody. */
static int64_t released(
	const struct run *r, const struct replay_lane *lane, const struct replay_part *part)
{
	int64_t ns;

	if (part->now == NEEDS_NOBODY)
		return INT64_MIN;
	if (!r->scenario)
		return lane->at + part->lead_ns - part->early_ns;
	ns = replay_released(r->g, part, (enum replay_needs)part->now);
	/* traffic has one clock */
	return ns == INT64_MIN || part->between ? ns : ns - part->early_ns;
}

/*
 * When the receiver of a send that asks for progress is first inside MPI, after `arrived` and the
 * post of the receive.
 */
static int64_t progressed(const struct run *r, const struct replay_part *part, int64_t arrived)
{
	const int64_t posted = part->now == NEEDS_PARTNER ? r->g->part[part->partner].at : arrived;

	return replay_first_inside(r->g, part, arrived > posted ? arrived : posted, r->now);
}

/* Notes that the call waits until `at` for what the part needs. *n: how many edges there are. */
static void add_edge(struct run *r, const struct replay_part *part, enum replay_needs needs,
	int64_t at, uint32_t *n)
{
	if (array_room(&r->edge, sizeof(*r->edge), &r->room, *n))
		r->error = -ENOMEM;
	else
		r->edge[(*n)++] = (struct edge){ at, part, needs };
}

/*
 * The lane leaves its call: all that the call needs has come. ns: the call's time without waits;
 * with by_model by the model, and else as measured, with the waits for progress. *more: what is to
 * be added to it. *by: the part that it waited for last. Returns when the lane stops waiting.
 */
static int64_t meet_needs(struct run *r, const struct replay_lane *lane,
	const struct replay_call *call, bool by_model, int64_t ns, double *more, uint32_t *by)
{
	/* a model alone knows no waits of the run */
	const bool knows_waits = !by_model || r->scenario->model == REPLAY_MEASURED;
	int64_t until = lane->at, over = lane->at, wait = call->late_ns, kept = 0;
	uint32_t n = 0;

	*by = REPLAY_NONE;
	r->leaves_from = INT64_MIN;
	for (uint32_t p = call->dones; p != REPLAY_NONE; p = r->g->part[p].next_done) {
		const struct replay_part *part = &r->g->part[p];
		int64_t at = released(r, lane, part), inside = INT64_MIN;

		/* a call of more than messages has no time by the model */
		if (!by_model && part->between && part->now == NEEDS_PARTNER &&
			r->g->detail[p].over_at > at)
			at = r->g->detail[p].over_at;

		if (asks_progress(part)) {
			const int64_t arrived = arrival(r, part);

			r->leaves_from = arrived > r->leaves_from ? arrived : r->leaves_from;
			inside = progressed(r, part, arrived);
		}
		if (part->follows && knows_waits) {
			wait = clock_later(wait, replay_part_wait(call, part));
			inside = followed_until(r, lane, part, by_model);
		} else if (part->progress_ns > 0 && knows_waits) {
			if (keeps_progress(r, lane, part))
				kept = clock_later(kept, part->progress_ns);
			else if (!by_model)
				*more -= (double)part->progress_ns;
		}
		if (at > lane->at)
			add_edge(r, part, (enum replay_needs)part->now, at, &n);
		if (inside > lane->at && inside > at)
			add_edge(r, part, NEEDS_PROGRESS, inside, &n);
		if (at > until) {
			*by = p;
			until = at;
		}
		if (by_model && inside > lane->at) {
			over = clock_later(over,
				replay_later(inside,
					whole_ns(replay_part_ns(r->scenario, lane->rank, part,
						inside - lane->at))));
		} else if (inside > until) {
			*by = REPLAY_NONE; /* a wait for progress keeps the path on this lane */
			until = inside;
		}
	}
	/* if only the model times the call, waits that other messages overlap cost nothing */
	if (by_model && over > replay_later(until, ns)) {
		*by = REPLAY_NONE;
		until = over - ns;
	}
	share_wait(r, lane->rank, r->edge, n, lane->at, until);
	*more += (double)(by_model ? kept : call->late_ns - wait);
	return until;
}

/* How long the lane computes before its next call. */
static int64_t gap_ns(const struct run *r, const struct replay_lane *lane)
{
	const struct replay_call *call = &r->g->call[lane->next];
	int64_t ns = call->gap_ns;

	if (!r->scenario)
		return ns;
	if (r->scenario->gap_ns)
		ns = r->scenario->gap_ns[lane->next];
	if (r->scenario->slowness)
		ns = whole_ns((double)ns * r->scenario->slowness[call->site]);
	return replay_later(ns, r->scenario->add_ns ? r->scenario->add_ns[call->site] : 0);
}

/* Finds what each part needs in this replay, whether it asks, and how long its message takes. */
static void find_needs(struct run *r)
{
	const bool none[REPLAY_CAUSES] = { false };
	const bool *no_waits = r->scenario ? r->scenario->no_waits : none;
	struct replay_arrival last = { 0 };

	for (uint32_t p = 0; p < r->g->nparts; p++) {
		struct replay_part *part = &r->g->part[p];
		enum replay_needs needs;

		part->between = false;
		part->by_rendezvous = r->scenario && part->instance == REPLAY_NONE &&
			replay_rendezvous(r->scenario, part);
		needs = part->is_send ? replay_needs(r->scenario, rank_of(r, part), part) :
					(enum replay_needs)part->needs;
		part->asks = r->scenario && replay_asks(r->scenario, rank_of(r, part), part, needs);
		part->now =
			(uint8_t)(no_waits[replay_cause_of(part, needs)] ? NEEDS_NOBODY : needs);
		part->follows = follows(r, part);
		if (asks_progress(part)) {
			r->g->detail[p].arrival_ns = whole_ns(
				replay_arrival(r->scenario, rank_of(r, part), part, &last));
			r->g->detail[part->partner].done_at = INT64_MAX;
			r->asks_progress = true;
		}
		r->ordered |= part->asks || (r->scenario && part->follows);
	}
}

/* Notes that the lane can enter its next call. */
static void line_up(struct run *r, struct replay_lane *lane)
{
	if (lane == r->turn)
		r->goes_on = true;
	else
		turns_ready(&r->turns, lane);
}

/* The lane stands at `at`, outside of calls: on to the next one. */
static void compute(struct run *r, struct replay_lane *lane, int64_t at)
{
	struct replay_rank_result *rank = &r->out->rank[lane->rank];
	int64_t ns;

	rank->end_ns = at > rank->end_ns ? at : rank->end_ns;
	if (replay_has_call(lane)) {
		if (lane->next + REPLAY_FETCH_CALLS < lane->first + lane->n)
			replay_fetch_ahead(r->g, &r->g->call[lane->next]);
		ns = gap_ns(r, lane);
		rank->computation_ns = replay_later(rank->computation_ns, ns);
		lane->at = replay_later(at, ns);
		line_up(r, lane);
	}
	turns_answer(&r->turns, lane);
}

/* The call left at `at`: of its parts, receives note it. */
static void note_done(struct run *r, const struct replay_call *call, int64_t at)
{
	for (uint32_t p = call->dones; p != REPLAY_NONE; p = r->g->part[p].next_done)
		if (r->g->part[p].instance == REPLAY_NONE && !r->g->part[p].is_send)
			r->g->detail[p].done_at = at;
}

static void leave(struct run *r, struct replay_lane *lane)
{
	struct replay_call *call = &r->g->call[lane->next];
	struct replay_times times = { r->g, r->scenario, r->out, r->now };
	const bool by_model = replay_call_by_model(&times, call);
	int64_t ns = by_model ? whole_ns(replay_call_model_ns(&times, lane, call)) :
				call->inside_ns - call->late_ns;
	double more = 0;
	int64_t until;
	uint32_t by;

	if (!by_model && r->scenario && r->scenario->model == REPLAY_MEASURED)
		more = replay_call_more(&times, lane, call);
	until = meet_needs(r, lane, call, by_model, ns, &more, &by);
	if (r->scenario && r->scenario->ideal && !by_model)
		more -= replay_call_contention(&times, lane, call, (double)ns + more);
	ns = replay_later(ns, whole_ns(more));
	until = replay_later(until, ns > 0 ? ns : 0);
	until = clock_later(until, r->leaves_from);
	r->out->rank[lane->rank].inside_ns += until - lane->at;
	call->enter = lane->at;
	call->leave = until;
	if (r->asks_progress)
		note_done(r, call, until);
	call->by = by;
	lane->next++;
	lane->inside = false;
	lane->stays = INT64_MIN;
	compute(r, lane, until);
}

/*
 * Is the answer to what the part asks known at `now`? How far a rank's progress is known depends on
 * its lanes. *asked: the first of them that is not known at `now`.
 */
static bool is_known(const struct run *r, const struct replay_part *part, int64_t now,
	struct replay_lane **asked)
{
	const struct replay_part *other = &r->g->part[part->partner];
	const struct replay_rank *rank = &r->g->rank[r->g->lane[other->lane].rank];

	if (!asks_progress(part) && !part->follows)
		return other->at != INT64_MIN;
	for (uint32_t i = rank->first_lane; i < rank->first_lane + rank->nlanes; i++)
		if (!turns_knows(&r->g->lane[i], now) ||
			!replay_knows_inside(r->g, &r->g->lane[i], now)) {
			*asked = &r->g->lane[i];
			return false;
		}
	return true;
}

/*
 * The time up to which other lanes count for the call: its last needed post or arrival, or its
 * entry. INT64_MAX: the call asks nothing. *open: it asks, and the answer is unknown yet. *asked: a
 * lane on which the answer depends, or NULL.
 */
static int64_t known_until(
	const struct run *r, const struct replay_lane *lane, bool *open, struct replay_lane **asked)
{
	const struct replay_part *part = r->g->part;
	const uint32_t dones = r->g->call[lane->next].dones;
	int64_t until = lane->at;
	bool any = false;

	for (uint32_t p = dones; p != REPLAY_NONE; p = part[p].next_done) {
		const int64_t at = replay_released(r->g, &part[p], (enum replay_needs)part[p].now);
		const int64_t arrived = asks_progress(&part[p]) ? arrival(r, &part[p]) :
			part[p].follows ? replay_progress_since(r->g, &part[p]) :
					  at;

		any |= part[p].asks || part[p].follows;
		until = at > until ? at : until;
		until = arrived > until ? arrived : until;
	}
	*open = false;
	*asked = NULL;
	for (uint32_t p = dones; any && p != REPLAY_NONE; p = part[p].next_done)
		*open |= (part[p].asks || part[p].follows) && !is_known(r, &part[p], until, asked);
	return any ? until : INT64_MAX;
}

/* All that the lane's call needs has come: the lane leaves now, or when the answer is known. */
static void leave_in_turn(struct run *r, struct replay_lane *lane)
{
	struct replay_lane *asked;
	bool open = false;
	const int64_t now = r->ordered ? known_until(r, lane, &open, &asked) : INT64_MAX;

	if (open) {
		/* A second question at the same time could repeat for each part: the heap decides.
		 */
		turns_put_off(&r->turns, lane, now, lane->stays == now ? NULL : asked);
		return;
	}
	r->now = now;
	leave(r, lane);
}

/* What the part waited for has come. */
static void wake(struct run *r, struct replay_part *part)
{
	struct replay_lane *lane = &r->g->lane[part->lane];

	if (!part->waits)
		return;
	part->waits = false;
	if (--lane->missing == 0)
		leave_in_turn(r, lane);
}

static void wake_waiting(struct run *r, struct replay_instance *it)
{
	uint32_t p = it->waiting;

	it->waiting = REPLAY_NONE;
	while (p != REPLAY_NONE) {
		struct replay_part *part = &r->g->part[p];

		p = r->g->detail[p].next_waiting;
		wake(r, part);
	}
}

/* An end of a message between hosts is posted. */
static void post_between(struct run *r, uint32_t p, int64_t at)
{
	const struct replay_part *part = &r->g->part[p];
	const uint32_t send = part->is_send ? p : part->partner;
	struct traffic_message m;

	/* the receive of an eager message changes nothing */
	if (!part->is_send && r->g->part[send].now != NEEDS_PARTNER)
		return;
	replay_message_between(r->g, r->scenario, send, &m);
	if (part->is_send ? traffic_send(r->traffic, send, &m, at) :
			    traffic_receive(r->traffic, send, &m, at))
		r->error = -ENOMEM;
}

static void post(struct run *r, uint32_t p, int64_t at)
{
	struct replay_part *part = &r->g->part[p];
	struct replay_instance *it;
	uint32_t lower;

	if (part->instance == REPLAY_NONE) {
		replay_post(r->g, p, at);
		if (part->between)
			post_between(r, p, at);
		else if (part->partner != REPLAY_NONE)
			wake(r, &r->g->part[part->partner]);
		return;
	}
	it = &r->g->instance[part->instance];
	lower = it->lower;
	replay_post(r->g, p, at);
	while (lower++ < it->lower && lower < it->n) {
		struct replay_part *next = &r->g->part[r->g->member[it->first + lower]];

		if (next->now == NEEDS_LOWER)
			wake(r, next);
	}
	if (it->come == it->n || it->root == p)
		wake_waiting(r, it);
}

/* The lane stands in its call for this part. */
static void stand(struct run *r, struct replay_part *part, uint32_t p)
{
	struct replay_instance *it;

	part->waits = true;
	r->g->lane[part->lane].missing++;
	if (part->now != NEEDS_ALL && part->now != NEEDS_ROOT)
		return;
	it = &r->g->instance[part->instance];
	r->g->detail[p].next_waiting = it->waiting;
	it->waiting = p;
}

static void enter(struct run *r, struct replay_lane *lane)
{
	const struct replay_call *call = &r->g->call[lane->next];

	/* its own posts may release it, so all that it waits for is looked at after them */
	lane->missing = 0;
	for (uint32_t p = call->posts; p != REPLAY_NONE; p = r->g->part[p].next_post)
		post(r, p, lane->at);
	for (uint32_t p = r->scenario ? call->dones : REPLAY_NONE; p != REPLAY_NONE;
		p = r->g->part[p].next_done)
		if (!has_come(r->g, &r->g->part[p]))
			stand(r, &r->g->part[p], p);
	lane->inside = true;
	if (lane->missing == 0)
		leave_in_turn(r, lane);
}

/* Runs the lane until it must wait. by_time: it was put off, and leaves its call at any rate. */
static void take_turn(struct run *r, struct replay_lane *lane, bool by_time)
{
	r->turn = lane;
	r->goes_on = !lane->inside;
	if (by_time) {
		r->now = lane->stays;
		leave(r, lane);
	} else if (lane->inside) {
		leave_in_turn(r, lane);
	}
	while (r->goes_on) {
		r->goes_on = false;
		enter(r, lane);
	}
	r->turn = NULL;
}

/* Takes an event of the traffic: a lane may stop waiting. */
static int follow_traffic(struct run *r)
{
	struct traffic_news news;
	const int rc = traffic_step(r->traffic, &news);
	struct replay_part *part;

	r->out->crowded = traffic_steps(r->traffic) > STEPS_MAX;
	if (rc <= 0 || r->out->crowded)
		return rc < 0 ? rc : r->out->crowded ? -EAGAIN : 0;
	part = &r->g->part[news.id];
	if (news.what == TRAFFIC_REQUEST || news.what == TRAFFIC_RECEIVE_OVER)
		part = &r->g->part[part->partner];
	if (news.what == TRAFFIC_REQUEST || news.what == TRAFFIC_ANSWER)
		return traffic_noticed(r->traffic, &news,
			replay_progresses(r->scenario, rank_of(r, part), part) ?
				news.at :
				replay_next_inside(r->g, part, news.at));
	r->g->detail[part - r->g->part].over_at = news.at;
	wake(r, part);
	return 0;
}

/* turns_next(), with the events of the traffic in between. */
static int next_turn(struct run *r, struct replay_lane **lane, bool *by_time)
{
	int rc = turns_next(&r->turns, lane, by_time);
	int64_t at;

	while (!rc && r->traffic && (!*lane || *by_time)) {
		rc = traffic_next(r->traffic, &at);
		if (rc || at == INT64_MAX || (*lane && (*lane)->stays < at))
			break;
		if (*lane)
			turns_put_off(&r->turns, *lane, (*lane)->stays, NULL);
		rc = follow_traffic(r);
		rc = rc ? rc : turns_next(&r->turns, lane, by_time);
	}
	return rc;
}

static void take_turns(struct run *r)
{
	struct replay_lane *lane = NULL;
	bool by_time;
	int rc;

	do {
		if (lane)
			take_turn(r, lane, by_time);
		rc = r->error ? r->error : next_turn(r, &lane, &by_time);
		r->error = r->error ? r->error : rc;
	} while (lane && !r->error);
}

/* The lane's call needs nobody for whom it stands. */
static void correct(struct run *r, struct replay_lane *lane)
{
	struct replay_call *call = &r->g->call[lane->next];

	for (uint32_t p = call->dones; p != REPLAY_NONE; p = r->g->part[p].next_done) {
		struct replay_part *part = &r->g->part[p];

		r->out->corrected += part->waits;
		if (part->waits)
			part->needs = part->now = NEEDS_NOBODY;
		part->waits = false;
	}
	replay_call_late(r->g, call);
	r->now = INT64_MAX;
	leave(r, lane);
}

/* The lane that has stood for longest among those that wait for each other for ever; NULL: none. */
static struct replay_lane *longest_stuck(const struct replay_graph *g)
{
	struct replay_lane *found = NULL;

	for (uint32_t i = 0; i < g->nlanes; i++)
		if (replay_has_call(&g->lane[i]) && (!found || g->lane[i].at < found->at))
			found = &g->lane[i];
	return found;
}

static void end_run(struct run *r)
{
	const struct replay_graph *g = r->g;
	int64_t start = 0, end = 0;

	for (uint32_t i = 0; i < g->nranks; i++) {
		struct replay_rank_result *rank = &r->out->rank[i];

		rank->end_ns += g->rank[i].rest_ns + (r->traffic ? r->scenario->rest_ns : 0);
		start = g->rank[i].start_ns > start ? g->rank[i].start_ns : start;
		end = rank->end_ns > end ? rank->end_ns : end;
	}
	r->out->run_ns = end > start ? end - start : 0;
	for (uint32_t i = 0; i < g->nlanes; i++)
		r->out->stuck += replay_has_call(&g->lane[i]);
}

/* Room for what the run needs beside its graph. */
static int make_room(struct run *r)
{
	const struct replay_graph *g = r->g;

	r->out->site = calloc(g->nsites + 1, sizeof(*r->out->site));
	r->out->rank = calloc(g->nranks + 1, sizeof(*r->out->rank));
	if (r->scenario && r->scenario->host_of) {
		r->traffic = traffic_new(r->scenario->cuts, r->scenario->ways_in_free,
			r->scenario->host_of, g->nranks, g->nparts);
		if (!r->traffic)
			return -ENOMEM;
	}
	return r->out->site && r->out->rank ? turns_begin(&r->turns, r->g) : -ENOMEM;
}

/* All lanes at the start of their ranks. */
static void begin_run(struct run *r)
{
	struct replay_graph *g = r->g;

	replay_begin(g);
	find_needs(r);
	if (r->traffic)
		r->out->followed = replay_find_between(g, r->scenario);
	for (uint32_t i = 0; i < g->nranks; i++)
		r->out->rank[i].end_ns = g->rank[i].start_ns;
	for (uint32_t i = 0; i < g->nlanes; i++) {
		g->lane[i].next = g->lane[i].first;
		g->lane[i].inside = false;
		compute(r, &g->lane[i], g->rank[g->lane[i].rank].start_ns);
	}
	take_turns(r);
}

static int run(
	struct replay_graph *g, const struct replay_scenario *scenario, struct replay_result *out)
{
	struct run r = { .g = g, .scenario = scenario, .out = out };
	struct replay_lane *stuck;

	memset(out, 0, sizeof(*out));
	out->noise_ns = NAN;
	r.error = make_room(&r);
	if (!r.error)
		begin_run(&r);
	while (scenario && scenario->corrects && !r.error && (stuck = longest_stuck(g))) {
		correct(&r, stuck);
		take_turns(&r);
	}
	turns_release(&r.turns);
	traffic_free(r.traffic);
	free(r.edge);
	if (!r.error)
		end_run(&r);
	return r.error;
}

int replay_run(
	struct replay_graph *g, const struct replay_scenario *scenario, struct replay_result *out)
{
	struct replay_scenario alone;
	int rc = run(g, scenario, out);

	if (scenario && scenario->crowded)
		out->crowded = true;
	if (!out->crowded || !scenario->host_of)
		return rc;
	alone = *scenario;
	alone.host_of = NULL;
	replay_result_release(out);
	rc = run(g, &alone, out);
	out->crowded = true;
	return rc;
}

int replay_run_path(
	struct replay_graph *g, const struct replay_scenario *scenario, struct replay_result *out)
{
	int rc = replay_run(g, scenario, out);

	if (rc)
		return rc;
	replay_path(g, out);
	rc = replay_noise(g, out, &out->noise_ns);
	if (scenario)
		out->noise_ns = hypot(out->noise_ns, scenario->chance_ns);
	return rc;
}

void replay_result_release(struct replay_result *r)
{
	free(r->site);
	free(r->rank);
	memset(r, 0, sizeof(*r));
}
