/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.c: the causes of one op's wait, from both sides' times.
 *
 * Late sender and late receiver are defined as in Scalasca: from the entry of the blocking call to
 * the entry of the other side's post, clipped to the call. Messages in wrong order: wrong_order.h.
 * Late progress and flow control have no counterpart in Scalasca. Contention: flows.h; it is at
 * most the model's value, and at most the rest of the excess.
 */
#include "analysis/match/waits.h"

#include <string.h>

#include "analysis/links/pace.h"
#include "analysis/ranks/busy.h"

enum {
	/*
	 * lateness beyond this counts as a wait, whatever was predicted
	 */
	EXACT_WAIT_NS = 1000,
	/* least room that any small message takes at the receiver */
	SLOT_BYTES = 128,
	/* a message may move this many times faster than predicted */
	MOVES_AT_MOST = 4,
	/*
	 * clocks of two hosts may differ by this. A send that was done even longer before its
	 * receive did not need the receive
	 */
	DONE_ALONE_NS = 100000
};

static int64_t clip(int64_t ns, int64_t from, int64_t to)
{
	return ns < from ? from : ns > to ? to : ns;
}

static const struct run_link *link_of(const struct match *m, const struct op *op)
{
	return run_links_of(&m->links, &m->ranks, op);
}

static int64_t *done_alone(struct match *m, const struct op *send)
{
	return &run_links_of(&m->links, &m->ranks, send)
			->done_alone[live_curve(op_kind_mode(send))];
}

void wait_learn(struct match *m, const struct op *send)
{
	if (send->protocol == PROTOCOL_NONE && !send->pending &&
		send->bytes > *done_alone(m, send) &&
		send->partner->post - send->leave > DONE_ALONE_NS)
		*done_alone(m, send) = send->bytes;
}

/*
 * True if this send completes only with the matching receive. Without a known threshold, this is
 * assumed if the send stayed until the receive came. Exceptions: another send of that length was
 * done alone, or a receive in the same call explains the time.
 */
static bool needs_receive(struct match *m, const struct op *send)
{
	if (op_mode_of(send) == MODE_BUFFERED)
		return false;
	if (send->protocol == PROTOCOL_NONE)
		return !send->receives_too && send->partner && send->leave >= send->partner->post &&
			send->bytes > *done_alone(m, send);
	return send->protocol == PROTOCOL_RENDEZVOUS;
}

/*
 * A receive of partitions, which are sent when the sender calls MPI_Pready, long after its post.
 * That time is not recorded, but the sender was inside MPI then.
 */
static bool needs_partitions(const struct op *op)
{
	return op->kind == KIND_RECV && op_form_of(op) == FORM_PARTITIONED;
}

/* True if it needs the other side inside MPI. */
static bool needs_progress(const struct match *m, const struct op *op)
{
	const uint8_t protocol = op->kind == KIND_SEND ? op->protocol : op->partner->protocol;

	if (needs_partitions(op) || (op->kind == KIND_SEND && op->hint == CAUSE_LATE_PROGRESS))
		return true;
	return protocol == PROTOCOL_RENDEZVOUS && !link_of(m, op)->alone[op->kind == KIND_SEND];
}

/*
 * From when on, in [from, limit], was the receiver inside MPI for long enough? A rendezvous message
 * moves in one or several stays. An eager one is taken at once. A call that only posts is shorter
 * than the message's time, and takes nothing. A stay that ended before the send's completion call
 * was entered did not take the message either, if this call waits.
 */
static int64_t receiver_takes_from(
	struct match *m, const struct op *send, int64_t from, int64_t limit)
{
	const int64_t ns = run_link_total_ns(link_of(m, send), send);
	struct run_rank *peer = send->partner->rank;

	if (send->protocol == PROTOCOL_RENDEZVOUS)
		return inside_enough(&m->ranks, peer, from, limit, ns / MOVES_AT_MOST);
	return inside_stay(&m->ranks, peer, from > send->enter ? from : send->enter, limit, ns);
}

/* As needs_receive(): a send without a known threshold waited for a receiver that came before its
 * end. */
static bool may_need_progress(const struct op *op)
{
	return op->kind == KIND_SEND && op->protocol == PROTOCOL_NONE && op->waited &&
		op_mode_of(op) != MODE_BUFFERED;
}

bool wait_needs_peer(const struct match *m, const struct op *op)
{
	return needs_progress(m, op) || may_need_progress(op);
}

int64_t wait_released(struct match *m, const struct op *op, int64_t limit)
{
	int64_t ns = INT64_MIN;

	if (!op->partner)
		return ns;
	if (op->kind == KIND_RECV || needs_receive(m, op))
		ns = op->partner->post;
	if (op->kind == KIND_SEND && needs_progress(m, op)) {
		int64_t from = ns > op->post ? ns : op->post;

		ns = from < limit ? receiver_takes_from(m, op, from, limit) : limit;
		/* a receive that is done has taken the message, however short its stay was */
		if (!op->partner->pending && op->partner->leave < ns)
			ns = op->partner->leave > from ? op->partner->leave : from;
	}
	return ns < limit ? ns : limit;
}

int64_t wait_released_inside(struct match *m, const struct op *op, int64_t limit)
{
	const struct op *receive = op->partner;
	int64_t since, from, ns;

	if (op->kind != KIND_SEND || !receive || op->protocol != PROTOCOL_RENDEZVOUS ||
		op_mode_of(op) == MODE_BUFFERED || !needs_progress(m, op))
		return INT64_MIN;
	ns = run_link_total_ns(link_of(m, op), op);
	since = receive->post > op->post ? receive->post : op->post;
	from = since > op->enter ? since : op->enter;
	if (from >= limit ||
		from - since - inside_outside_ns(&m->ranks, receive->rank, since, from) >= ns)
		return INT64_MIN;
	ns = inside_enough(&m->ranks, receive->rank, from, limit, ns);
	/* a receive that is done has taken the message, however short its stay was */
	return receive->pending || receive->leave >= ns ? ns : INT64_MIN;
}

enum op_cause wait_kept_by(struct match *m, const struct op *op, int64_t enter, int64_t released)
{
	const int64_t came = clip(op->partner->post, enter, released);

	if (released - enter <= EXACT_WAIT_NS)
		return CAUSE_NONE;
	if (op->kind == KIND_RECV)
		return CAUSE_LATE_SENDER;
	return needs_receive(m, op) && came - enter >= released - came ? CAUSE_LATE_RECEIVER :
									 CAUSE_LATE_PROGRESS;
}

/* If messages are slower than calibrated, so much larger is their noise. */
static int64_t noise_of(const struct match *m, const struct op *op)
{
	const int64_t ns =
		live_noise_ns(&link_of(m, op)->live, op_kind_mode(op), (uint64_t)op->bytes);

	return op->pace_q8 > PACE_ONE_Q8 && ns < INT64_MAX ? op_at_pace(op, ns) : ns;
}

/*
 * The excess if it is above the noise. An op alone in its call keeps its live share, and was judged
 * live unless it was predicted again.
 */
static bool has_waited(const struct match *m, const struct op *op)
{
	if (op->predicted == ROW_NULL || op->connects)
		return false;
	return op->shared || op->pace_q8 ? op_excess(op) > noise_of(m, op) && op_excess(op) > 0 :
					   op->live_wait;
}

/* The part of predicted time that would vanish if the transfer had begun at the post. */
static int64_t unhidden_of(const struct match *m, const struct op *op)
{
	const struct live_link *link = &link_of(m, op)->live;
	const unsigned curve = live_curve(op_kind_mode(op));
	int64_t left, least;

	if (op->predicted == ROW_NULL || op->enter <= op->post || !(link->flags & LIVE_KNOWN_TIME))
		return 0;
	left = live_bin_ns(link->total[curve], (uint64_t)op->bytes) - (op->enter - op->post);
	least = live_bin_ns(link->rest[curve], 0);
	if (left < least)
		left = least;
	left = op_at_pace(op, left);
	return op->predicted > left ? op->predicted - left : 0;
}

int64_t wait_late(struct match *m, struct op *op, int64_t from, int64_t to)
{
	if (!op->partner || (op->kind == KIND_SEND && !needs_receive(m, op)))
		return 0;
	op->late_until = clip(op->partner->post, from, to);
	op->parts.late = op->late_until - from;
	return op->parts.late;
}

/*
 * The other side was outside MPI, and the wait ended as soon after it came back as a message takes
 * that begins then: so it needed its progress, whatever is known of the protocol and the link [ns].
 * The noise counts up to the time that the message takes.
 */
static int64_t ended_by_peer(struct match *m, const struct op *op, int64_t from, int64_t end)
{
	struct run_rank *peer = op->partner->rank;
	const int64_t noise = noise_of(m, op), came = inside_since(&m->ranks, peer, end);
	int64_t takes = op_at_pace(op, run_link_total_ns(link_of(m, op), op)), outside, left;

	if (op->predicted == ROW_NULL || came <= from || came >= end)
		return 0;
	takes = takes > op->predicted ? takes : op->predicted;
	if (end - came > takes + EXACT_WAIT_NS + (noise < takes ? noise : takes))
		return 0;
	outside = inside_outside_ns(&m->ranks, peer, from, came);
	left = op_excess(op) - op->parts.late;
	if (2 * outside < came - from)
		return 0;
	return outside < left ? outside : left > 0 ? left : 0;
}

static void progress_part(struct match *m, struct op *op, int64_t from, int64_t to)
{
	struct run_rank *peer = op->partner->rank;
	const int64_t end = to;
	int64_t first = 0, rest, left;

	if (from < to && peer != op->rank && may_need_progress(op)) {
		int64_t next = inside_next(&m->ranks, peer, from, to);

		op->parts.progress = next < to ? next - from : 0;
		return;
	}
	/* a peer that has completed its op is no longer needed */
	if (!op->partner->pending && op->partner->leave < to)
		to = op->partner->leave;
	if (from >= to || peer == op->rank)
		return;
	if (!needs_progress(m, op)) {
		if (op->waited)
			op->parts.progress = ended_by_peer(m, op, from, end);
		return;
	}
	/* a waiting send certainly waits until the receiver's next call */
	if (op->kind == KIND_SEND && op->waited)
		first = inside_next(&m->ranks, peer, from, to) - from;
	/* if the peer left MPI later, it may have delayed the transfer, by at most this time */
	rest = inside_outside_ns(&m->ranks, peer, from + first, to);
	left = op->predicted == ROW_NULL ? 0 : op_excess(op) - op->parts.late - first;
	rest = rest < left ? rest : left > 0 ? left : 0;
	if (needs_partitions(op))
		op->parts.late += rest;
	else
		op->parts.progress = first + rest;
}

/*
 * A send that waits for buffer space has older messages before it, which the receiver must take. So
 * it cannot return before the receiver is inside MPI. A full buffer can only be told from S: it has
 * room for a message of S bytes. If S is unknown, no wait counts as flow control.
 */
static bool had_no_room(struct match *m, const struct op *op, int64_t from, int64_t to)
{
	const struct live_link *link = &link_of(m, op)->live;
	const uint64_t there = (uint64_t)op->backlog * SLOT_BYTES + (uint64_t)op->backlog_bytes;

	if (op->kind != KIND_SEND || op->hint != CAUSE_FLOW_CONTROL || !op->waited || !op->backlog)
		return false;
	if (!(link->flags & LIVE_KNOWN_S) ||
		there < link->limits[live_curve(op_kind_mode(op))].eager_end)
		return false;
	return inside_next(&m->ranks, op->partner->rank, from, to) < to;
}

/* The peer left no records: the live wait is all that is known. */
static void alone_parts(struct op *op, int64_t excess)
{
	if (op->hint == CAUSE_LATE_SENDER || op->hint == CAUSE_LATE_RECEIVER)
		op->parts.late = excess;
	else if (op->hint == CAUSE_LATE_PROGRESS)
		op->parts.progress = excess;
	else if (op->hint == CAUSE_FLOW_CONTROL)
		op->parts.flow = excess;
}

void wait_parts(struct match *m, struct op *op, int64_t from, int64_t to)
{
	struct op_parts *p = &op->parts;
	int64_t excess = op_excess(op);

	op->waited = has_waited(m, op);
	op->unhidden = unhidden_of(m, op);
	if (op->partner) {
		op->waited |= p->late > EXACT_WAIT_NS;
		if (had_no_room(m, op, from, to))
			p->flow = excess;
		else
			progress_part(m, op, from, to);
		/*
		 * setting up the first message's connection is no wait, but the peer's lateness is
		 * known here
		 */
		op->waited |= op->connects && p->progress > EXACT_WAIT_NS;
	} else if (op->waited) {
		alone_parts(op, excess);
	}
	if (op->predicted != ROW_NULL)
		p->other = excess - p->late - p->progress - p->flow - p->contention;
	else
		op->waited = p->late + p->progress > EXACT_WAIT_NS;
}

bool wait_may_contend(const struct match *m, const struct op *op)
{
	return op->waited && op->predicted != ROW_NULL && op->parts.other > 0 &&
		flows_between(&m->flows, &m->ranks, op);
}

void wait_contention(struct match *m, struct op *op)
{
	const struct op *send = op->kind == KIND_SEND ? op : op->partner;
	int64_t ns = flows_slowdown(&m->flows, &m->ranks, send, op->leave);

	op->parts.contention = ns < op->parts.other ? ns : op->parts.other;
	op->parts.other -= op->parts.contention;
}

void wait_causes(const struct op_parts *p, int64_t kind, struct cause_part out[CAUSE_PARTS])
{
	const struct cause_part all[CAUSE_PARTS] = {
		{ p->late, kind == KIND_SEND ? CAUSE_LATE_RECEIVER : CAUSE_LATE_SENDER },
		{ p->progress, CAUSE_LATE_PROGRESS }, { p->order, CAUSE_WRONG_ORDER },
		{ p->flow, CAUSE_FLOW_CONTROL }, { p->contention, CAUSE_CONTENTION },
		{ p->other_no_cpu, CAUSE_NO_CPU }, { p->other - p->other_no_cpu, CAUSE_UNEXPLAINED }
	};

	memcpy(out, all, sizeof(all));
}

enum op_cause wait_cause(const struct op_parts *parts, int64_t kind, int64_t *ns)
{
	struct cause_part part[CAUSE_PARTS];
	enum op_cause cause = CAUSE_NONE;

	*ns = 0;
	wait_causes(parts, kind, part);
	for (int i = 0; i < CAUSE_PARTS; i++)
		if (part[i].ns > *ns) {
			*ns = part[i].ns;
			cause = part[i].cause;
		}
	return cause;
}
