/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * no_cpu.c: how much of a wait is CPU loss.
 *
 *	late side   |stay|   computes  xxxx   computes |post
 *	waiting              |blocks ..................|
 *	                     |<------- late_ns ------->|      xxxx: no_cpu_ns of it
 *
 * The CPU loss in lateness is how much less late the other side would have been without it. Both
 * sides were in step at the end of the last stay in MPI of either side. Losses count from then on,
 * together for at most the lateness. Calls that only post are no stay.
 *
 *	peer        |send .................|
 *	waiting     |blocks ... yields, yields, xxxxxxxxx|
 *	                               ^ could end        other_ns: explained by no_cpu_ns
 *
 * A thread that polls gives up its CPU in each turn. This is a loss only from the time at which its
 * wait could have ended. A loss of the peer counts as long as the message needed the peer.
 */
#include "analysis/match/no_cpu.h"

#include "analysis/match/waits.h"
#include "analysis/ranks/busy.h"
#include "analysis/ranks/off_cpu.h"

enum {
	STAY_NS = 20000 /* the shortest stay in MPI that can have been a wait for others */
};

static int64_t at_most(int64_t ns, int64_t limit)
{
	return ns < limit ? ns : limit > 0 ? limit : 0;
}

struct loss loss_of_late(struct match *m, const struct lateness *l)
{
	const int64_t all = l->until - l->from;
	struct loss loss = { 0 };
	int64_t since, stayed;

	if (!off_cpu_any(&m->ranks, l->late, l->lane, l->until))
		return loss;
	since = inside_last_stay(&m->ranks, l->late, l->until, STAY_NS);
	stayed = inside_last_stay(&m->ranks, l->waiting, l->entered, STAY_NS);
	since = since > stayed ? since : stayed;
	since = since < l->from ? since : l->from;
	loss.no_cpu = at_most(
		off_cpu_ns(&m->ranks, l->late, l->lane, OFF_PREEMPTED, since, l->until), all);
	loss.blocked =
		at_most(off_cpu_ns(&m->ranks, l->late, l->lane, OFF_GAVE_UP, since, l->until),
			all - loss.no_cpu);
	return loss;
}

/*
 * The time without a CPU inside calls: of the op's thread in [own_from, to], and of its peer's
 * thread in [peer_from, peer_to]. Time in which both had none counts once.
 */
static int64_t either(struct match *m, const struct op *op, int64_t own_from, int64_t to,
	int64_t peer_from, int64_t peer_to)
{
	int64_t ns = off_cpu_ns(&m->ranks, op->rank, op->lane, OFF_POLLING, own_from, to);
	struct interval out;

	while (off_cpu_next(&m->ranks, op->partner->rank, op->partner->lane, OFF_POLLING, peer_from,
		peer_to, &out)) {
		const int64_t both_from = out.enter > own_from ? out.enter : own_from;

		ns += out.leave - out.enter -
			off_cpu_ns(&m->ranks, op->rank, op->lane, OFF_POLLING, both_from,
				out.leave < to ? out.leave : to);
		peer_from = out.leave;
	}
	return ns;
}

int64_t loss_until(struct match *m, const struct op *op, int64_t released, int64_t limit)
{
	const struct op *peer = op->partner;
	const int64_t needed = released > op->post ? released : op->post;
	struct interval out;

	if (peer && wait_needs_peer(m, op) &&
		off_cpu_next(&m->ranks, peer->rank, peer->lane, OFF_POLLING, needed, limit, &out) &&
		out.enter <= needed)
		return out.leave;
	return released;
}

/* The part of parts.other in which a thread that was needed had no CPU. */
static int64_t needed_without(struct match *m, const struct op *op, int64_t from, int64_t to)
{
	const struct op *peer = op->partner;
	const int64_t released = wait_released(m, op, to);
	const int64_t begin = released > from ? released : from;
	const int64_t could_end = begin + (op->predicted > 0 ? op->predicted : 0);
	int64_t until = op->kind == KIND_RECV ? peer->post_leave : INT64_MIN;

	if (wait_needs_peer(m, op) && peer->leave > until)
		until = peer->leave;
	return at_most(
		either(m, op, could_end, to, begin, until < to ? until : to), op->parts.other);
}

void loss_of_op(struct match *m, struct op *op, int64_t from, int64_t to)
{
	struct op_parts *p = &op->parts;
	const struct op *peer = op->partner;
	struct loss loss = { 0 }, more;
	struct lateness l;

	if (!op->waited || !peer)
		return;
	l = (struct lateness){ peer->rank, op->rank, peer->lane, op->enter,
		op->late_until - p->late, op->late_until };
	if (p->late > 0)
		loss = loss_of_late(m, &l);
	if (p->progress > 0) {
		l.from = from;
		l.until = from + p->progress;
		more = loss_of_late(m, &l);
		loss.no_cpu += more.no_cpu;
		loss.blocked += more.blocked;
	}
	if (p->other > 0)
		p->other_no_cpu = needed_without(m, op, from, to);
	p->no_cpu = loss.no_cpu + p->other_no_cpu;
	p->blocked_outside = loss.blocked;
}
