/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edit.c: the graph's parts and calls copied, changed, and copied back.
 *
 * Only what replay_run() reads of a loaded graph changes here: needs, lists of parts, durations,
 * waits for progress.
 */
#include "analysis/worth/edit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/replay/balance.h"

static void find_calls(struct edit *e)
{
	const struct replay_graph *g = e->g;

	for (uint32_t i = 0; i < g->nparts; i++)
		e->done[i] = REPLAY_NONE;
	for (uint32_t i = 0; i < g->nlanes; i++) {
		const uint32_t first = g->lane[i].first, end = first + g->lane[i].n;

		for (uint32_t c = first; c < end; c++) {
			e->next[c] = c + 1 < end ? c + 1 : REPLAY_NONE;
			for (uint32_t p = g->call[c].dones; p != REPLAY_NONE;
				p = g->part[p].next_done)
				e->done[p] = c;
		}
	}
}

int edit_begin(struct replay_graph *g, struct edit *e)
{
	*e = (struct edit){ .g = g,
		.part = malloc(((size_t)g->nparts + 1) * sizeof(*e->part)),
		.call = malloc(((size_t)g->ncalls + 1) * sizeof(*e->call)),
		.done = malloc(((size_t)g->nparts + 1) * sizeof(*e->done)),
		.next = malloc(((size_t)g->ncalls + 1) * sizeof(*e->next)) };
	if (!e->part || !e->call || !e->done || !e->next)
		return -ENOMEM;
	if (g->nparts)
		memcpy(e->part, g->part, g->nparts * sizeof(*e->part));
	if (g->ncalls)
		memcpy(e->call, g->call, g->ncalls * sizeof(*e->call));
	find_calls(e);
	return 0;
}

void edit_undo(struct edit *e)
{
	if (e->g->nparts)
		memcpy(e->g->part, e->part, e->g->nparts * sizeof(*e->part));
	if (e->g->ncalls)
		memcpy(e->g->call, e->call, e->g->ncalls * sizeof(*e->call));
	for (uint32_t c = 0; e->exchanged && c < e->g->ncalls; c++)
		if (e->call[c].posts != REPLAY_NONE)
			e->g->detail[e->call[c].posts].post_call = c;
	e->exchanged = false;
}

void edit_end(struct edit *e)
{
	free(e->part);
	free(e->call);
	free(e->done);
	free(e->next);
	memset(e, 0, sizeof(*e));
}

void edit_without_tool(struct edit *e, const int64_t *tool_ns)
{
	struct replay_graph *g = e->g;

	for (uint32_t i = 0; i < g->nlanes; i++) {
		const struct replay_lane *lane = &g->lane[i];
		int64_t left = 0;

		for (uint32_t c = lane->first; c < lane->first + lane->n; c++) {
			struct replay_call *call = &g->call[c];
			const int64_t ns = left + clock_within(tool_ns[call->site], CLOCK_NS_MAX);
			const int64_t taken = ns < call->gap_ns ? ns : call->gap_ns;

			call->gap_ns -= taken;
			e->call[c].gap_ns = call->gap_ns;
			left = clock_within(ns - taken, CLOCK_NS_MAX);
		}
	}
}

static void shorten_call(struct replay_call *call, int64_t ns)
{
	const int64_t rest = call->inside_ns - call->late_ns;

	call->inside_ns = clock_within(call->inside_ns -
			(ns < rest               ? ns :
					rest > 0 ? rest :
						   0),
		REPLAY_NS_MAX);
}

void edit_shorten(struct edit *e, uint32_t part, int64_t ns)
{
	if (e->done[part] != REPLAY_NONE)
		shorten_call(&e->g->call[e->done[part]], ns);
}

/* The part does not wait for the other side's progress. */
static void need_no_progress(struct replay_part *p)
{
	p->progress_ns = 0;
	p->has_lag = false;
}

void edit_spare_progress(struct edit *e, uint32_t part)
{
	struct replay_part *p = &e->g->part[part];

	edit_shorten(e, part, p->progress_ns);
	need_no_progress(p);
}

void edit_spare(struct edit *e, uint32_t part, int64_t ns)
{
	e->g->part[part].needs = NEEDS_NOBODY;
	edit_shorten(e, part, ns);
	edit_spare_progress(e, part);
}

/* One part's share of the call's time without waits, as measured: of those that it completes, or
 * else posts. */
static int64_t share_ns(const struct edit *e, uint32_t c)
{
	const struct replay_call *call = &e->call[c];
	const bool completes = call->dones != REPLAY_NONE;
	const int64_t ns = call->inside_ns - call->late_ns;
	int64_t parts = 0;

	for (uint32_t p = completes ? call->dones : call->posts; p != REPLAY_NONE;
		p = completes ? e->part[p].next_done : e->part[p].next_post)
		parts++;
	return ns > 0 && parts ? ns / parts : 0;
}

/* The call that posts the part, if it completes none: it has a time of its own. Or REPLAY_NONE. */
static uint32_t posting_call(const struct edit *e, uint32_t part)
{
	const uint32_t c = e->g->detail[part].post_call;

	return e->call[c].dones == REPLAY_NONE ? c : REPLAY_NONE;
}

int64_t edit_part_ns(const struct edit *e, uint32_t part)
{
	const uint32_t post = posting_call(e, part);

	return (e->done[part] == REPLAY_NONE ? 0 : share_ns(e, e->done[part])) +
		(post == REPLAY_NONE ? 0 : share_ns(e, post));
}

void edit_take_no_time(struct edit *e, uint32_t part)
{
	const uint32_t post = posting_call(e, part);

	if (e->done[part] != REPLAY_NONE)
		shorten_call(&e->g->call[e->done[part]], share_ns(e, e->done[part]));
	if (post != REPLAY_NONE)
		shorten_call(&e->g->call[post], share_ns(e, post));
	need_no_progress(&e->g->part[part]);
}

void edit_only_wait(struct edit *e, uint32_t first, uint32_t last)
{
	for (uint32_t c = first; c <= last; c++) {
		struct replay_call *call = &e->g->call[c];

		if (c > first)
			call->gap_ns = 0;
		if (call->inside_ns > call->late_ns)
			call->inside_ns = call->late_ns;
	}
}

void edit_post_early(struct edit *e, uint32_t send, bool moves_alone)
{
	struct replay_part *p = &e->g->part[send];

	if (p->needs == NEEDS_PARTNER)
		p->needs = moves_alone ? NEEDS_NOBODY : NEEDS_PROGRESS;
	p->has_lag &= p->progress_ns > 0 || !moves_alone;
}

/* Was the part posted and completed in one call, which did nothing else? Then that call. */
static uint32_t own_call(const struct edit *e, uint32_t part)
{
	const uint32_t c = e->done[part];
	const struct replay_call *call = c == REPLAY_NONE ? NULL : &e->call[c];

	return call && call->posts == part && call->dones == part &&
			e->part[part].next_post == REPLAY_NONE &&
			e->part[part].next_done == REPLAY_NONE ?
		c :
		REPLAY_NONE;
}

/* Changes by the gaps as they were: several receives in a row come out alike in any order. */
void edit_receive_later(struct edit *e, uint32_t receive)
{
	const uint32_t c = own_call(e, receive);
	struct replay_call *call = e->g->call;

	if (c == REPLAY_NONE || e->next[c] == REPLAY_NONE)
		return;
	call[c].gap_ns += e->call[e->next[c]].gap_ns;
	call[e->next[c]].gap_ns -= e->call[e->next[c]].gap_ns;
}

void edit_share_work(struct edit *e, uint32_t part)
{
	const uint32_t c = e->done[part], partner = e->part[part].partner;
	struct replay_call *call = e->g->call;
	uint32_t late;
	int64_t ns, room;

	if (c == REPLAY_NONE || partner == REPLAY_NONE)
		return;
	late = e->g->detail[partner].post_call;
	ns = e->part[part].lead_ns - e->part[part].early_ns;
	ns = (ns < e->call[late].gap_ns ? ns : e->call[late].gap_ns) / 2;
	ns -= e->call[late].gap_ns - call[late].gap_ns;
	room = e->call[c].late_ns / 2 - (call[c].gap_ns - e->call[c].gap_ns);
	ns = ns < room ? ns : room;
	if (ns <= 0)
		return;
	call[late].gap_ns -= ns;
	call[c].gap_ns += ns;
}

void edit_stay_awake(struct edit *e, const int64_t *place, const double *asleep)
{
	const struct replay_graph *g = e->g;

	for (uint32_t i = 0; i < g->nlanes; i++)
		for (uint32_t c = g->lane[i].first; c < g->lane[i].first + g->lane[i].n; c++) {
			struct replay_call *call = &g->call[c];
			const bool begins =
				c > g->lane[i].first && place[call[-1].site] & PLACE_BEGINS;

			if (begins && place[call->site] & PLACE_ENDS)
				call->gap_ns -= llround((double)call->gap_ns * asleep[call->site]);
		}
}

static void set_call(struct edit *e, uint32_t c, uint32_t from, int64_t gap_ns)
{
	struct replay_call *call = &e->g->call[c];

	*call = e->call[from];
	call->gap_ns = gap_ns;
	e->g->detail[call->posts].post_call = c;
	e->exchanged = true;
}

/* A call changes places only once: of three receives in a row, the first two do. */
void edit_receive_next_first(struct edit *e, uint32_t receive)
{
	const uint32_t c = own_call(e, receive), n = c == REPLAY_NONE ? c : e->next[c];
	const uint32_t after = n == REPLAY_NONE ? n : e->next[n];
	const struct replay_call *call = e->g->call;
	uint32_t other;

	if (after == REPLAY_NONE)
		return;
	other = e->call[n].dones;
	if (other == REPLAY_NONE || own_call(e, other) != n || e->part[other].is_send ||
		call[c].dones != receive || call[n].dones != other)
		return;
	set_call(e, c, n, call[c].gap_ns);
	set_call(e, n, c, call[after].gap_ns);
	e->g->call[after].gap_ns = e->call[n].gap_ns;
}

/* The wait for the other side's progress goes on in the next call, less the computation between. */
static void move_progress(struct edit *e, uint32_t send, uint32_t next)
{
	struct replay_part *p = &e->g->part[send];
	const int64_t rest = p->progress_ns - e->call[next].gap_ns;

	edit_shorten(e, send, p->progress_ns);
	if (rest > 0)
		p->progress_ns = rest;
	else
		need_no_progress(p);
	e->g->call[next].inside_ns += p->progress_ns;
}

/* The call may complete the send before it by now, if that was changed as well. */
void edit_send_nonblocking(struct edit *e, uint32_t send)
{
	const uint32_t c = own_call(e, send);
	const uint32_t next = c == REPLAY_NONE ? REPLAY_NONE : e->next[c];
	struct replay_graph *g = e->g;
	uint32_t *at;

	if (next == REPLAY_NONE)
		return;
	at = &g->call[c].dones;
	while (*at != send && *at != REPLAY_NONE)
		at = &g->part[*at].next_done;
	if (*at == REPLAY_NONE)
		return;
	move_progress(e, send, next);
	*at = g->part[send].next_done;
	g->part[send].next_done = g->call[next].dones;
	g->call[next].dones = send;
}

bool edit_is_single(const struct edit *e, uint32_t send)
{
	const uint32_t partner = e->part[send].partner;

	return partner != REPLAY_NONE && own_call(e, send) != REPLAY_NONE &&
		own_call(e, partner) != REPLAY_NONE;
}

static bool posts_only(const struct edit *e, uint32_t c, uint32_t a, uint32_t b)
{
	for (uint32_t p = e->call[c].posts; p != REPLAY_NONE; p = e->part[p].next_post)
		if (p != a && p != b)
			return false;
	for (uint32_t p = e->call[c].dones; p != REPLAY_NONE; p = e->part[p].next_done)
		if (p != a && p != b)
			return false;
	return true;
}

bool edit_is_round(const struct edit *e, uint32_t send, uint32_t receive)
{
	const uint32_t ends[] = { send, receive };

	for (int i = 0; i < 2; i++)
		if (e->done[ends[i]] == REPLAY_NONE ||
			!posts_only(e, e->done[ends[i]], send, receive) ||
			!posts_only(e, e->g->detail[ends[i]].post_call, send, receive))
			return false;
	return true;
}

void edit_calls_of_round(
	const struct edit *e, uint32_t send, uint32_t receive, uint32_t *first, uint32_t *last)
{
	const uint32_t one = e->g->detail[send].post_call, other = e->g->detail[receive].post_call;

	*first = one < other ? one : other;
	*last = e->done[send] > e->done[receive] ? e->done[send] : e->done[receive];
}

static void take_call_out(struct replay_call *call)
{
	call->inside_ns = call->late_ns = 0;
}

/* Removes one end of a message, and the time of its calls. */
static void skip(struct edit *e, uint32_t part)
{
	struct replay_part *p = &e->g->part[part];

	take_call_out(&e->g->call[e->g->detail[part].post_call]);
	take_call_out(&e->g->call[e->done[part]]);
	p->needs = NEEDS_NOBODY;
	p->partner = REPLAY_NONE;
	need_no_progress(p);
}

void edit_leave_out(struct edit *e, uint32_t part)
{
	skip(e, e->part[part].partner);
	skip(e, part);
}

void edit_aggregate(
	struct edit *e, const uint32_t *sends, uint32_t n, const struct edit_combined *one)
{
	const uint32_t send = sends[n - 1];
	const uint32_t receive = e->part[sends[one->received_last ? n - 1 : 0]].partner;
	struct replay_graph *g = e->g;

	for (uint32_t i = 0; i < n; i++) {
		if (sends[i] != send)
			skip(e, sends[i]);
		if (e->part[sends[i]].partner != receive)
			skip(e, e->part[sends[i]].partner);
	}
	g->part[send].partner = receive;
	g->part[receive].partner = send;
	g->part[send].early_ns = g->part[receive].early_ns = 0;
	g->part[receive].needs = NEEDS_PARTNER;
	if (one->rendezvous) {
		g->part[send].needs = NEEDS_PARTNER;
		g->part[send].rendezvous = g->part[receive].rendezvous = true;
	}
	g->call[e->done[send]].inside_ns += one->send_ns;
	g->call[e->done[receive]].inside_ns += one->recv_ns;
}
