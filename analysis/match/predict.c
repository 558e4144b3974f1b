/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c: see predict.h. */
#include "analysis/match/predict.h"

#include "analysis/links/pace.h"
#include "analysis/match/waits.h"
#include "analysis/ranks/busy.h"
#include "analysis/ranks/off_cpu.h"

static bool is_known(const struct match *m, const struct op *op)
{
	return op->partner && op->predicted != ROW_NULL &&
		run_links_of(&m->links, &m->ranks, op)->live.flags & LIVE_KNOWN_TIME;
}

/*
 * A link that was learned from messages has no pace, and neither have lengths of which the
 * calibration says nothing.
 */
static bool has_pace(const struct match *m, const struct op *op)
{
	const struct run_link *link = run_links_of(&m->links, &m->ranks, op);

	return op_tier_of(op) == TIER_NODE && is_known(m, op) &&
		!(link->live.flags & LIVE_FLOOR_ONLY) && run_link_total_ns(link, op) > 0;
}

static struct pace *pace_of(const struct match *m, const struct op *op)
{
	return &run_links_of(&m->links, &m->ranks, op)->pace;
}

/* The op's share by the calibration. Its transfer could begin `since` before the call [ns]. */
static void calibrated(
	const struct match *m, const struct op *op, int64_t since, struct live_share *share)
{
	struct live_terms terms;

	live_terms_make(&run_links_of(&m->links, &m->ranks, op)->live, op_kind_mode(op),
		(uint16_t)op_code_flags(op->code), (uint64_t)op->bytes, &terms);
	live_op(&terms, since, share);
}

/* For how long could the transfer have moved at `enter`? */
static int64_t moving_since(const struct op *op, int64_t enter, int64_t released)
{
	return clock_later(enter - clock_later(op->post, released), 0);
}

/* The calibrated time of a call with these ops alone, from their release on [ns]; 0: unknown. */
static int64_t time_alone(const struct match *m, const struct completion *c, uint32_t n)
{
	struct live_share share[CALL_OPS_FEW];
	int64_t ns = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!is_known(m, c[i].op))
			return 0;
		calibrated(m, c[i].op, 0, &share[i]);
	}
	live_share(share, n, 0, 0);
	for (uint32_t i = 0; i < n; i++)
		ns += share[i].predicted_ns;
	return ns;
}

/*
 * A prediction is the time that an op adds behind those before it in the call. The ops that were
 * released last may take more: of two sends behind two receives that have ended, each moves by
 * itself. The last op is given this time, and the hidden ones lose it, so the call's prediction
 * stays the same.
 */
static void move_hidden(struct match *m, int64_t start, struct completion *c, uint32_t n)
{
	int64_t at = start, lead = 0, last = 0, more;
	uint32_t first = n;

	while (first > 0 && c[first - 1].from + SAME_NS >= c[n - 1].from)
		last += c[--first].ns;
	if (first == 0)
		return;
	for (uint32_t i = 0; i < first; i++) {
		if (c[i].op->predicted == ROW_NULL)
			return;
		at = clock_later(c[i].from, at) + c[i].ns;
		lead += c[i].op->partner ? c[i].ns : 0;
	}
	lead -= clock_later(at - c[first].from, 0);
	more = time_alone(m, &c[first], n - first) - last;
	more = more < lead ? more : lead;
	if (more <= 0)
		return;
	c[n - 1].ns += more;
	c[n - 1].op->predicted += more;
	for (uint32_t i = 0; i < first && more > 0; i++) {
		const int64_t ns = c[i].ns < more ? c[i].ns : more;

		if (!c[i].op->partner)
			continue;
		c[i].ns -= ns;
		c[i].op->predicted -= ns;
		more -= ns;
	}
}

/*
 * The number of ops, of those from c[0] on, that move at one time: each was released before the
 * ones before it can have ended.
 */
static uint32_t moving_together(
	const struct completion *c, uint32_t n, const struct live_share *alone)
{
	int64_t busy_until = c[0].from + SAME_NS + alone[0].rest_ns;
	uint32_t i;

	for (i = 1; i < n && c[i].from <= busy_until; i++)
		busy_until += alone[i].rest_ns;
	return i;
}

/*
 * Predicts a call by the calibration: ops that move at one time together, then the next ones.
 * Returns the first op of the last ones; n: not all ops have a pace, and they are as before.
 */
static uint32_t calibrate_call(
	const struct match *m, const struct op_group *g, struct completion *c, uint32_t n)
{
	struct live_share share[CALL_OPS_FEW];
	uint32_t first = 0, together;

	for (uint32_t i = 0; i < n; i++) {
		if (!has_pace(m, c[i].op))
			return n;
		calibrated(m, c[i].op, moving_since(c[i].op, g->enter, c[i].released), &share[i]);
		share[i].user = i;
	}
	for (;;) {
		together = moving_together(&c[first], n - first, &share[first]);
		live_share(&share[first], together, 0, 0);
		if (first + together == n)
			break;
		first += together;
	}
	for (uint32_t i = 0; i < n; i++)
		c[share[i].user].op->predicted = c[share[i].user].ns = share[i].predicted_ns;
	return first;
}

/*
 * The class of a message in a call from `enter` on. The other side released it at `released`, and
 * it takes `ns`. PACE_CLASSES: it was on its way when the call was entered.
 */
static enum pace_class class_of(int64_t enter, int64_t released, int64_t ns)
{
	return released > enter + SAME_NS ? PACE_WAITED :
		released <= enter - ns    ? PACE_READY :
					    PACE_CLASSES;
}

/* From `from` on, was the peer inside MPI while it was needed, and did both have a CPU? */
static bool undisturbed(struct match *m, const struct op *op, int64_t from)
{
	const struct op *other = op->partner;
	const int64_t to = other->leave < op->leave ? other->leave : op->leave;
	const unsigned any = OFF_PREEMPTED | OFF_GAVE_UP | OFF_POLLING;

	return !other->pending && inside_outside_ns(&m->ranks, other->rank, from, to) == 0 &&
		off_cpu_ns(&m->ranks, other->rank, other->lane, any, from, to) == 0 &&
		off_cpu_ns(&m->ranks, op->rank, op->lane, any, from, op->leave) == 0;
}

/*
 * The calibrated time of ops that began together at `from` [ns]. 0: they are not alike, or
 * something disturbed them.
 */
static int64_t time_of_alike(struct match *m, const struct completion *c, uint32_t n, int64_t from)
{
	const struct op *last = c[n - 1].op;
	int64_t ns = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!pace_alike(c[i].op, last) || pace_of(m, c[i].op) != pace_of(m, last) ||
			!undisturbed(m, c[i].op, clock_later(c[n - 1].from, from)))
			return 0;
		ns += c[i].ns;
	}
	return c[n - 1].from - from <= ns / 4 ? ns : 0;
}

/* Learns from the last ops of the call, which moved at one time; the others had ended then. */
static void learn_pace(struct match *m, const struct op_group *g, int64_t start,
	const struct completion *c, const enum pace_class *which, uint32_t n)
{
	const int64_t from = clock_later(c[0].from, start);
	const struct op *of[2] = { NULL };
	int64_t ns;

	for (uint32_t i = 0; i < n; i++) {
		if (which[i] == PACE_CLASSES || which[i] != which[0])
			return;
		of[c[i].op->kind == KIND_RECV] = c[i].op;
	}
	ns = time_of_alike(m, c, n, from);
	for (int kind = 0; kind < 2; kind++)
		if (of[kind])
			pace_add(pace_of(m, of[kind]), of[kind], which[0], g->leave - from, ns);
}

/* Predicts the op at the run's pace; it is one of a call that takes `call_ns` by the calibration.
 */
static int64_t at_pace(
	struct match *m, struct op *op, enum pace_class which, int64_t ns, int64_t call_ns)
{
	op->pace_q8 =
		which == PACE_CLASSES ? PACE_ONE_Q8 : pace_q8(pace_of(m, op), op, which, call_ns);
	op->predicted = op_at_pace(op, ns);
	return op->predicted;
}

bool predict_call(
	struct match *m, const struct op_group *g, int64_t start, struct completion *c, uint32_t n)
{
	enum pace_class which[CALL_OPS_FEW];
	int64_t ns = 0;
	uint32_t last;

	if (n > CALL_OPS_FEW)
		return false;
	last = calibrate_call(m, g, c, n);
	if (last == n) {
		move_hidden(m, start, c, n);
		return false;
	}
	for (uint32_t i = 0; i < n; i++) {
		which[i] = class_of(g->enter, c[i].released, c[i].ns);
		ns += c[i].ns;
	}
	if (!c[0].op->connects)
		learn_pace(m, g, start, &c[last], &which[last], n - last);
	for (uint32_t i = 0; i < n; i++)
		c[i].ns = at_pace(m, c[i].op, which[i], c[i].ns, ns);
	return true;
}

void predict_alone(struct match *m, struct op *op, int64_t from, int64_t to)
{
	struct live_share share;
	enum pace_class which;
	int64_t released;

	if (!has_pace(m, op))
		return;
	released = wait_released(m, op, to);
	calibrated(m, op, moving_since(op, from, released), &share);
	which = class_of(from, released, share.rest_ns);
	released = clock_later(released, from);
	if (which != PACE_CLASSES && !op->connects && undisturbed(m, op, released))
		pace_add(pace_of(m, op), op, which, to - released, share.rest_ns);
	at_pace(m, op, which, share.rest_ns, share.rest_ns);
}
