/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settle.c: the shares of a completion call, by the times at which its ops could complete.
 *
 * The ops of a call are ordered by the time at which each could continue. An op that needs its peer
 * cannot continue while the peer has no CPU. An op's predicted time begins when it can continue, or
 * after the op before it. Predictions (predict.h) are laid end to end, so each is only the time
 * that the op adds behind the others. If no rank was late, the shares are the predictions. An op's
 * share is its completion time minus that of the op before (of the first: minus the call's entry),
 * clipped at the call's return. The last op also gets the rest. The shares add up to the sum of the
 * live shares. An op without a partner could complete when its live share had passed.
 *
 * While a peer was late, the call waited for it, and other work was hidden behind that. So this
 * time belongs to the late ops, and only the remaining time is shared as above:
 *
 *	call       |########################|
 *	late       |--- A ---|-- B --|
 *	could end       C        A       B      C and half of A's time are hidden
 *	shares     |    A    |   B   | A |B |
 *
 * A single late peer was late from the call's entry to its own post. No time belongs to two ops.
 * Hidden time makes an op's other_ns negative. Messages of one peer follow each other: while one of
 * them moves, the next one is not late.
 *
 * A nonblocking collective has no prediction: it could complete when its last wait had ended. It
 * gets the time from the completion of the op before it until that moment, and its waits are cut to
 * this time. So all waits of a call together are no longer than the call.
 */
#include "analysis/match/settle.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/match/no_cpu.h"
#include "analysis/match/predict.h"
#include "analysis/match/waits.h"
#include "analysis/match/wrong_order.h"

enum { UNEXPLAINED_NS = 10000 }; /* shorter times are not explained any further */

/* Walks through the late completions: of sends, or of all others. */
struct late_times {
	const struct completion *next, *end;
	bool sends;
	int64_t passed;
};

static struct op_group **bucket_of(struct match *m, uint32_t lane, int64_t enter)
{
	uint64_t x = ((uint64_t)enter ^ (uint64_t)lane << 40) * 0x9e3779b97f4a7c15ULL;

	return &m->bucket[x >> 50 & (GROUP_BUCKETS - 1)];
}

/* The group of the call; NULL: no memory. */
static struct op_group *group_of(struct match *m, uint32_t lane, int64_t enter, int64_t leave)
{
	struct op_group **bucket = bucket_of(m, lane, enter), *g;

	for (g = *bucket; g && (g->lane != lane || g->enter != enter || g->closed); g = g->next)
		;
	if (!g) {
		g = pool_take_group(&m->pool);
		if (!g)
			return NULL;
		*g = (struct op_group){
			.next = *bucket, .enter = enter, .leave = leave, .lane = lane
		};
		*bucket = g;
		if (heap_push(&m->open, g->enter, g) != 0)
			return NULL;
	}
	return g;
}

struct coll_kept *settle_join_coll(struct match *m, uint32_t lane, int64_t enter, int64_t leave)
{
	struct op_group *g = group_of(m, lane, enter, leave);
	struct coll_kept *kept = g ? pool_take_kept(&m->pool) : NULL;

	if (!kept)
		return NULL;
	*kept = (struct coll_kept){ .next = g->first_coll, .group = g };
	g->first_coll = kept;
	g->unmatched++;
	return kept;
}

int settle_join(struct match *m, struct op *op)
{
	struct op_group *g;

	if (!op->shared)
		return 0;
	g = group_of(m, op->lane, op->enter, op->leave);
	if (!g)
		return -ENOMEM;
	op->group = g;
	op->group_next = g->first;
	g->first = op;
	g->unmatched++;
	return 0;
}

/* The cause for exact_cell.code, unless wrong_order.c or flows.c find another one. */
static uint32_t code_of(const struct op *op)
{
	const struct op_parts *p = &op->parts;
	const unsigned protocol =
		op->kind == KIND_SEND || !op->partner ? op->protocol : op->partner->protocol;
	unsigned cause = op->kind == KIND_SEND ? CAUSE_LATE_RECEIVER : CAUSE_LATE_SENDER;
	int64_t most = p->late;

	if (p->progress > most) {
		cause = CAUSE_LATE_PROGRESS;
		most = p->progress;
	}
	if (p->flow > most || p->other > most)
		cause = p->flow >= p->other ? CAUSE_FLOW_CONTROL : CAUSE_UNEXPLAINED;
	return (uint32_t)(bottleneck_code_put_call(op->call) | bottleneck_code_put_kind(op->kind) |
		bottleneck_code_put_protocol(protocol) | bottleneck_code_put_cause(cause));
}

/* Records the op's wait for blame and the critical path. */
static void keep_wait(struct match *m, const struct op *op, int64_t from, int64_t until)
{
	const struct history_wait wait = { .from = from,
		.until = until,
		.lane = op->lane,
		.late = op->partner->lane,
		.callsite = op->complete_callsite,
		.post = op->callsite,
		.code = code_of(op) };

	if (until > from)
		history_waits_add(&m->history.waits, &wait);
}

/* Finishes the parts of an op that was also blocked in [from, to], besides its lateness. */
static void settle_op(struct match *m, struct op *op, int64_t from, int64_t to)
{
	const struct op_parts *p = &op->parts;
	const int64_t late = p->late;
	int64_t until;

	op->blocked = late + to - from;
	wait_parts(m, op, from, to);
	loss_of_op(m, op, from, to);
	if (!op->waited || !op->partner || op->partner->lane == op->lane)
		return;
	until = from + p->late + p->progress + p->flow - late;
	if (from == op->late_until)
		from -= late;
	else
		keep_wait(m, op, op->late_until - late, op->late_until);
	keep_wait(m, op, from, until);
}

/*
 * A transfer begins when both sides have posted. If it moved in other MPI calls, it took less time
 * in this one than predicted. The rest could have been hidden behind the time before the call, of
 * which other ops of the call have already taken `taken`. Returns the time taken with this op.
 */
static int64_t hideable_part(struct op *op, int64_t taken)
{
	const int64_t excess = op_excess(op);
	int64_t ns = op->unhidden + (excess < 0 ? excess : 0), room = 0;

	if (op->partner)
		room = op->enter - (op->partner->post > op->post ? op->partner->post : op->post) -
			taken;
	if (ns > room)
		ns = room;
	op->hideable = ns > 0 ? ns : 0;
	return taken + op->hideable;
}

void settle_finish(struct match *m, struct op *op)
{
	op->settled = true;
	if (!op->partner) {
		if (!op_flag(op, OP_PROC_NULL) &&
			(op->waited || op->live_wait || op->blocked != op->live_blocked))
			output_alone(m, op);
		pool_free_op(&m->pool, op);
	} else if (op->partner->settled) {
		struct op *other = op->partner;

		output_pair(
			m, op->kind == KIND_SEND ? op : other, op->kind == KIND_SEND ? other : op);
		pool_free_op(&m->pool, other);
		pool_free_op(&m->pool, op);
	}
}

static void finish_op(struct match *m, struct op *op)
{
	if (!wrong_order_keep(m, op))
		settle_finish(m, op);
}

/* The op's parts are known, except those that later messages may reveal. */
static void end_op(struct match *m, struct op *op)
{
	if (!wait_may_contend(m, op))
		finish_op(m, op);
	else if (heap_push(&m->held_up, op->leave, op) != 0)
		m->error = -ENOMEM;
}

static void add_coll_row(struct match *m, struct output_coll *row, uint32_t late_lane)
{
	struct run_rank *late = row->late ? rank_find(&m->ranks, row->late->rank) : NULL;
	struct loss loss = { 0 };

	if (late)
		loss = loss_of_late(m,
			&(struct lateness){ late, rank_find(&m->ranks, row->rank->rank), late_lane,
				row->enter, row->from, row->from + row->wait_ns });
	row->no_cpu = loss.no_cpu;
	row->blocked = loss.blocked;
	output_coll(m, row);
}

/* Keeps the parts of the collective's waits that lie in [from, to]. */
static void keep_coll(struct match *m, const struct coll_kept *kept, int64_t from, int64_t to)
{
	for (int i = 0; i < kept->n; i++) {
		struct history_wait wait = kept->wait[i];
		struct output_coll row = kept->row[i];

		if (wait.from < from)
			wait.from = from;
		if (wait.until > to)
			wait.until = to;
		row.from = wait.from;
		row.wait_ns = wait.until - wait.from;
		if (row.wait_ns <= 0)
			continue;
		if (!kept->no_rows)
			add_coll_row(m, &row, wait.late);
		history_waits_add(&m->history.waits, &wait);
	}
}

/* If several could continue at once, the longest comes last and gets the rest. */
static int by_goes_at(const void *a, const void *b)
{
	const struct completion *x = a, *y = b;

	if (x->goes_at != y->goes_at)
		return x->goes_at < y->goes_at ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	if (!x->op || !y->op)
		return !y->op - !x->op;
	return (x->op->id > y->op->id) - (x->op->id < y->op->id);
}

/*
 * The op was late from `since` on, or from the time at which earlier messages from or to the same
 * rank had moved.
 */
static int64_t completion_late(struct match *m, struct completion *c, int64_t since, int64_t limit)
{
	struct op *op = c->op;
	struct run_rank *peer = op->partner ? op->partner->rank : op->rank;
	int64_t *moved = &peer->moved[op->kind == KIND_RECV];

	if (peer->moved_in != m->calls) {
		peer->moved_in = m->calls;
		peer->moved[0] = peer->moved[1] = since;
	}
	c->since = clock_later(since, *moved < limit ? *moved : limit);
	c->late = wait_late(m, op, c->since, limit);
	*moved = clock_later(*moved, c->from) + c->ns;
	return c->late > 0 ? c->since + c->late : since;
}

static bool is_send(const struct completion *c)
{
	return c->op && c->op->kind == KIND_SEND;
}

/*
 * Assigns the time in which peers were late, in the order in which they came. Receives come before
 * sends: a rank that did not come for an exchange is a late sender, whatever its first call.
 */
static void share_late(
	struct match *m, struct completion *c, uint32_t n, int64_t since, int64_t limit)
{
	m->calls++;
	for (uint32_t i = 0; i < n; i++)
		if (c[i].coll) {
			const int64_t until = c[i].from < limit ? c[i].from : limit;

			keep_coll(m, c[i].coll, since, until);
			c[i].since = since;
			since = clock_later(since, until);
			c[i].late = since - c[i].since;
		} else if (!is_send(&c[i])) {
			since = completion_late(m, &c[i], since, limit);
		}
	for (uint32_t i = 0; i < n; i++)
		if (is_send(&c[i]))
			since = completion_late(m, &c[i], since, limit);
}

/* The time before `at` in which the peers of these completions were late. */
static int64_t late_until(struct late_times *t, int64_t at)
{
	for (; t->next < t->end; t->next++) {
		const struct completion *c = t->next;

		if (is_send(c) != t->sends || c->late == 0)
			continue;
		if (c->since + c->late > at)
			return t->passed + clock_later(at - c->since, 0);
		t->passed += c->late;
	}
	return t->passed;
}

/* The time of other requests of the call comes first, as it does live. */
static int64_t call_start(const struct op_group *g, int64_t total)
{
	return clock_later(g->leave - total, g->enter);
}

static void share_call(
	struct match *m, const struct op_group *g, struct completion *c, uint32_t n, int64_t total)
{
	const int64_t start = call_start(g, total), leave = start + total;
	struct late_times sends = { .next = c, .end = c + n, .sends = true };
	struct late_times others = { .next = c, .end = c + n };
	int64_t at = start, late = 0, hidden = 0;

	share_late(m, c, n, start, leave);
	for (uint32_t i = 0; i < n; i++) {
		const int64_t end = clock_later(c[i].from, at) + c[i].ns;
		const int64_t to = (c[i].op && i + 1 == n) || end > leave ? leave : end;
		const int64_t before = late_until(&others, to) + late_until(&sends, to);

		if (c[i].op) {
			settle_op(m, c[i].op, at + before - late, to);
			hidden = hideable_part(c[i].op, hidden);
		}
		at = to;
		late = before;
	}
}

/*
 * Marks sends that did not prolong their call, because a message for which it also waited came no
 * earlier than they could continue. If such a send has no known threshold, it is assumed to need no
 * receive.
 */
static void tell_sends_apart(const struct op_group *g, struct completion *c, uint32_t n)
{
	int64_t last = INT64_MIN;

	for (uint32_t i = 0; i < n; i++)
		if (c[i].op->kind == KIND_RECV && c[i].op->partner && c[i].from > last)
			last = c[i].from;
	for (uint32_t i = 0; i < n && last > g->enter; i++) {
		struct op *op = c[i].op;

		op->receives_too = op->kind == KIND_SEND && c[i].from <= last + SAME_NS;
		if (op->receives_too && op->protocol == PROTOCOL_NONE)
			c[i].goes_at = c[i].from = g->enter;
	}
}

/* The completion's op was released at `released`. */
static void release_at(
	struct match *m, const struct op_group *g, struct completion *c, int64_t released)
{
	const int64_t goes_at = loss_until(m, c->op, released, g->leave);

	c->released = released;
	if (goes_at > g->enter)
		c->goes_at = c->from = goes_at;
	if (released > g->enter)
		c->op->kept_by = wait_kept_by(m, c->op, g->enter, released);
}

static struct completion completion_of(struct match *m, const struct op_group *g, struct op *op)
{
	const int64_t predicted = op->predicted == ROW_NULL ? 0 : op->predicted;
	struct completion t = { .op = op, .goes_at = g->enter, .from = g->enter, .ns = predicted };

	release_at(m, g, &t, wait_released(m, op, g->leave));
	if (!op->partner) {
		t.ns = op->blocked < predicted ? op->blocked : predicted;
		t.goes_at = g->enter + op->blocked;
		t.from = t.goes_at - t.ns;
	}
	return t;
}

/*
 * A send by rendezvous counts as moved if its receiver was inside MPI for long enough. So calls of
 * the receiver that only posted other messages can hide that the send waited. If a large part of
 * the call is unexplained, such a send is looked for whose receiver came back at the call's end.
 * True if there is one.
 */
static bool find_late_progress(
	struct match *m, const struct op_group *g, struct completion *c, uint32_t n)
{
	struct completion *found = NULL;
	int64_t at = g->enter, rest;

	for (uint32_t i = 0; i < n; i++)
		at = clock_later(c[i].from, at < g->leave ? at : g->leave) + c[i].ns;
	rest = g->leave - at;
	if (rest < UNEXPLAINED_NS || rest < (g->leave - g->enter) / 8)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const int64_t ns = c[i].op ? wait_released_inside(m, c[i].op, g->leave) : INT64_MIN;

		if (ns <= at || g->leave - ns > rest / 4)
			continue;
		found = &c[i];
		at = ns;
	}
	if (found)
		release_at(m, g, found, at);
	return found != NULL;
}

/* The group's ops and collectives in the order of completion. */
static void list_completions(
	struct match *m, const struct op_group *g, struct completion *c, uint32_t ops)
{
	uint32_t n = 0;

	for (struct op *op = g->first; op; op = op->group_next)
		c[n++] = completion_of(m, g, op);
	tell_sends_apart(g, c, ops);
	for (struct coll_kept *coll = g->first_coll; coll; coll = coll->next) {
		const int64_t until = coll->n ? coll->wait[coll->n - 1].until : g->enter;

		c[n++] = (struct completion){ .coll = coll, .goes_at = until, .from = until };
	}
	qsort(c, n, sizeof(*c), by_goes_at);
	if (find_late_progress(m, g, c, n))
		qsort(c, n, sizeof(*c), by_goes_at);
}

static void forget_group(struct match *m, struct op_group *g)
{
	struct op_group **link = bucket_of(m, g->lane, g->enter);

	while (g->first_coll) {
		struct coll_kept *kept = g->first_coll;

		g->first_coll = kept->next;
		pool_free_kept(&m->pool, kept);
	}
	while (*link != g)
		link = &(*link)->next;
	*link = g->next;
	pool_free_group(&m->pool, g);
}

static void settle_group(struct match *m, struct op_group *g)
{
	struct completion few[CALL_OPS_FEW], *c = few;
	int64_t total = 0;
	uint32_t ops = 0, n;
	bool connects = false;

	for (struct op *op = g->first; op; op = op->group_next, ops++) {
		total += op->blocked;
		connects |= op_flag(op, OP_FIRST);
	}
	n = ops;
	for (const struct coll_kept *coll = g->first_coll; coll; coll = coll->next)
		n++;
	for (struct op *op = g->first; op; op = op->group_next)
		op->connects = connects;
	/* live, an op of the call had what the collectives took */
	if (n > ops)
		total = g->leave - g->enter;
	if (ops)
		g->first->shared = n > 1;
	if (n > CALL_OPS_FEW)
		c = malloc(n * sizeof(*c));
	if (!c) {
		m->error = -ENOMEM;
		return;
	}
	list_completions(m, g, c, ops);
	if (n == ops && predict_call(m, g, call_start(g, total), c, n))
		qsort(c, n, sizeof(*c), by_goes_at);
	share_call(m, g, c, n, total);
	for (uint32_t i = 0; i < n; i++)
		if (c[i].op)
			end_op(m, c[i].op);
	if (c != few)
		free(c);
	forget_group(m, g);
}

void settle_coll(struct match *m, struct coll_kept *kept)
{
	if (!kept->group)
		keep_coll(m, kept, INT64_MIN, INT64_MAX);
	else if (--kept->group->unmatched == 0 && kept->group->closed)
		settle_group(m, kept->group);
}

void settle_known(struct match *m, struct op *op)
{
	/* the probe that found its message is part of the time in which it blocked */
	const int64_t from = op_flag(op, OP_PROBED) ? op->post : op->enter, to = from + op->blocked;

	if (op->group) {
		if (--op->group->unmatched == 0 && op->group->closed)
			settle_group(m, op->group);
		return;
	}
	op->connects = op_flag(op, OP_FIRST);
	predict_alone(m, op, from, to);
	settle_op(m, op, from + wait_late(m, op, from, to), to);
	hideable_part(op, 0);
	end_op(m, op);
}

void settle_until(struct match *m, int64_t ns)
{
	while (m->open.n && m->open.item[0].at < ns && !m->error) {
		struct op_group *g = m->open.item[0].what;

		heap_pop(&m->open);
		g->closed = true;
		if (g->unmatched == 0)
			settle_group(m, g);
	}
	while (m->held_up.n && m->held_up.item[0].at < ns && !m->error) {
		struct op *op = m->held_up.item[0].what;

		heap_pop(&m->held_up);
		wait_contention(m, op);
		finish_op(m, op);
	}
}
