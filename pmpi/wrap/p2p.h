/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * p2p.h: the work after a send, a receive or a probe. wrap.awk makes the wrappers that call the
 * p2p_* functions. Calls that repeat an earlier one (call/repeat.h) are inlined; all others take
 * the slow path.
 */
#ifndef TRYST_WRAP_P2P_H
#define TRYST_WRAP_P2P_H

#include "pmpi/record/observe.h"
#include "pmpi/call/persistent.h"
#include "pmpi/call/repeat.h"

/*
 * Asking whether a message was announced takes 0.5 us and more. So only receives of at least
 * ANNOUNCED_BYTES ask: the first ANNOUNCED_FIRST of a callsite, then one in ANNOUNCED_EVERY. Every
 * MPI accepts tags up to TAG_MAX.
 */
enum { ANNOUNCED_BYTES = 1 << 17, ANNOUNCED_FIRST = 64, ANNOUNCED_EVERY = 4, TAG_MAX = 32767 };

/*
 * Asks only if the error handler is one of MPI's own. A handler of the program would see an error
 * twice: once for the question, once for the receive.
 */
static bool p2p_may_ask(MPI_Comm comm)
{
	MPI_Errhandler handler;
	bool usual;

	if (pnext.MPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
		return false;
	usual = handler == H(MPI_ERRORS_ARE_FATAL) || handler == H(MPI_ERRORS_RETURN);
	pnext.MPI_Errhandler_free(&handler);
	return usual;
}

/*
 * Asks twice: the first probe may answer from old state, but makes the library look for messages.
 */
static bool p2p_ask(int source, int tag, MPI_Comm comm)
{
	int flag = 0;

	if (!p2p_may_ask(comm))
		return false;
	for (int i = 0; i < 2 && !flag; i++)
		if (pnext.MPI_Iprobe(source, tag, comm, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			break;
	return flag;
}

/*
 * Asking for an announced message delayed its receive: that time is charged to tryst (tool_ticks),
 * and the call begins after it. If the message is not announced, or MPI cannot be asked, the
 * question stays in the call's time and in the op's duration.
 */
static __attribute__((noinline)) bool p2p_ask_timed(
	struct call *c, int source, int tag, MPI_Comm comm)
{
	uint64_t asked;

	if (!observe_wants_announced() || !p2p_ask(source, tag, comm))
		return false;
	asked = clock_ticks();
	c->sum->tool_ticks += asked - c->enter;
	if (c->outer)
		c->outer_nested += asked - c->enter;
	c->enter = c->t->region->now.enter_ticks = asked;
	return true;
}

/*
 * Before a receive: has its message been announced, so that it was sent in time (record/observe.h)?
 * Buffers may be longer than the message, so the sizes of earlier messages count, too. Arguments
 * that MPI may refuse are not asked about.
 */
HOT bool p2p_announced(struct call *c, const struct op *op, int source, int tag, MPI_Comm comm)
{
	return op->known && op->bytes >= ANNOUNCED_BYTES &&
		(op->peer >= 0 || source == MPI_ANY_SOURCE) &&
		(tag == MPI_ANY_TAG || (tag >= 0 && tag <= TAG_MAX)) &&
		c->sum->bytes / (ANNOUNCED_BYTES / 4) >= c->sum->count &&
		(c->sum->count < ANNOUNCED_FIRST || c->sum->count % ANNOUNCED_EVERY == 0) &&
		p2p_ask_timed(c, source, tag, comm);
}

static inline void p2p_sent(struct call *c, struct op *op, int rc, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
	if (likely(rc == MPI_SUCCESS)) {
		op_after(c, op, count, type, dest, tag, comm);
		if (likely(op->known)) {
			op_complete_alone(c, op);
			repeat_keep(c, op, true, op->bytes, count, type, dest, tag, comm);
		}
	}
	call_end(c, dest >= 0 ? CALL_PROGRESS : CALL_COUNT);
}

/* A receive of a probed message counts as posted when the probe was entered. */
static __attribute__((noinline)) void p2p_received_probed(
	struct call *c, struct op *op, const struct probed *seen)
{
	struct op_end end = { .call = c->fn,
		.site = c->site,
		.post_enter = seen->enter_ticks ? seen->enter_ticks : c->enter,
		.post_leave = c->leave,
		.blocked = c->leave - c->enter + seen->blocked_ticks,
		.poll = seen->poll_ticks };
	const struct live_link *link;

	if (seen->enter_ticks)
		op->flags |= OP_PROBED;
	link = op_link(op);
	if (link)
		end.predicted_ns = live_blocking_ns(link, op->kind_mode, op->flags, op->bytes);
	if (link &&
		live_wait_ns(clock_ns(end.blocked) - end.predicted_ns,
			live_noise_ns(link, op->kind_mode, op->bytes)) > 0)
		op->flags |= OP_WAITED;
	op_complete(c, op, &end);
	c->sum->bytes += op->bytes;
}

/* A receive that failed because its message was too long has still taken the message. */
static inline bool p2p_was_too_long(int rc)
{
	int class = MPI_SUCCESS;

	return pnext.MPI_Error_class(rc, &class) == MPI_SUCCESS && class == MPI_ERR_TRUNCATE;
}

static __attribute__((noinline)) void p2p_truncated(struct call *c, struct op *op, int rc,
	MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm)
{
	if (!p2p_was_too_long(rc))
		return;
	op_after(c, op, count, type, source, tag, comm);
	if (!op->known)
		return;
	op_pass_probed(c->t, op);
	op->flags |= OP_TRUNCATED;
	op_complete_alone(c, op);
}

static inline void p2p_received(struct call *c, struct op *op, int rc, bool announced,
	MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
	const MPI_Status *status)
{
	if (likely(rc == MPI_SUCCESS)) {
		const struct probed *seen = NULL;

		op_after(c, op, count, type, source, tag, comm);
		if (likely(op->known)) {
			uint64_t posted = op->bytes;

			op_received(op, status);
			if (unlikely(c->t->open_probes))
				seen = op_take_probed(
					c->t, op, status->MPI_SOURCE, status->MPI_TAG);
			if (unlikely(seen)) {
				p2p_received_probed(c, op, seen);
			} else {
				op_complete_alone(c, op);
				repeat_keep(c, op, true, posted, count, type, source, tag, comm);
			}
			if (unlikely(announced))
				observe_announced(c->t,
					&(struct announced){ .bytes = op->bytes,
						.took_ticks = c->leave - c->enter,
						.flags = op->flags,
						.link = op->tier });
		}
	} else {
		p2p_truncated(c, op, rc, count, type, source, tag, comm);
	}
	call_end(c, source != MPI_PROC_NULL ? CALL_PROGRESS : CALL_COUNT);
}

/* Describes the op of a call again that was begun as a repetition. */
static inline struct op p2p_anew(uint8_t kind_mode, uint64_t id)
{
	return (struct op){ .kind_mode = kind_mode, .id = id };
}

/* A send that repeats an earlier one has returned. */
HOT void p2p_sent_again(struct call *c, const struct repeat *s, uint64_t id, int rc,
	uint8_t kind_mode, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
	if (unlikely(rc != MPI_SUCCESS || !repeat_again(c, s, id))) {
		struct op op = p2p_anew(kind_mode, id);
		struct call anew = *c;

		p2p_sent(&anew, &op, rc, count, type, dest, tag, comm);
		return;
	}
	call_end(c, dest >= 0 ? CALL_PROGRESS : CALL_COUNT);
}

/* A receive that repeats an earlier one has returned. It is a repetition only if the size agrees.
 */
HOT void p2p_received_again(struct call *c, const struct repeat *s, uint64_t id, int rc,
	uint8_t kind_mode, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
	const MPI_Status *status)
{
	if (unlikely(rc != MPI_SUCCESS || c->t->open_probes ||
		    (source >= 0 && status_bytes(status) != s->bytes) || !repeat_again(c, s, id))) {
		struct op op = p2p_anew(kind_mode, id);
		struct call anew = *c;

		p2p_received(&anew, &op, rc, false, count, type, source, tag, comm, status);
		return;
	}
	call_end(c, source != MPI_PROC_NULL ? CALL_PROGRESS : CALL_COUNT);
}

static inline void p2p_posted(struct call *c, struct op *op, int rc, MPI_Count count,
	MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request *request)
{
	if (likely(rc == MPI_SUCCESS)) {
		op_after(c, op, count, type, rank, tag, comm);
		if (likely(op->known)) {
			bool complete = request_post(c, op, *request);

			repeat_keep(c, op, complete, op->bytes, count, type, rank, tag, comm);
		}
	}
	call_end(c, rank != MPI_PROC_NULL ? CALL_PROGRESS : CALL_COUNT);
}

/* A nonblocking op that repeats an earlier one was posted. */
HOT void p2p_posted_again(struct call *c, const struct repeat *s, uint64_t id, int rc,
	uint8_t kind_mode, MPI_Count count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
	MPI_Request *request)
{
	if (unlikely(rc != MPI_SUCCESS || !request_post_again(c, s, id, *request))) {
		struct op op = p2p_anew(kind_mode, id);
		struct call anew = *c;

		p2p_posted(&anew, &op, rc, count, type, rank, tag, comm, request);
		return;
	}
	call_end(c, rank != MPI_PROC_NULL ? CALL_PROGRESS : CALL_COUNT);
}

static inline void p2p_made(struct call *c, struct op *op, int rc, MPI_Count count,
	MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request *request)
{
	if (likely(rc == MPI_SUCCESS)) {
		op_learn(c, op, count, type, rank, tag, comm);
		if (likely(op->known))
			persistent_make(op, *request);
	}
	call_end(c, CALL_COUNT);
}

/* Both ops of an MPI_Sendrecv end in its call, and share its time. */
static void p2p_exchanged(struct call *c, struct op *out, struct op *in)
{
	struct op *op[2] = { out, in };
	struct live_terms terms[2];
	struct live_share share[2];
	uint64_t left = c->leave - c->enter;

	for (uint32_t i = 0; i < 2; i++) {
		op[i]->flags |= OP_SENDRECV;
		live_terms_make(
			op_link(op[i]), op[i]->kind_mode, op[i]->flags, op[i]->bytes, &terms[i]);
		live_op(&terms[i], 0, &share[i]);
		share[i].user = i;
		c->sum->bytes += op[i]->bytes;
	}
	live_share(share, 2, 0, clock_ns(left));
	for (int i = 0; i < 2; i++) {
		struct op *o = op[share[i].user];
		const struct live_terms *own = &terms[share[i].user],
					*other = &terms[!share[i].user];
		int64_t noise_ns =
			i ? live_last_noise_ns(own, other->next_noise_ns) : own->noise_ns;
		uint64_t ticks = i ? left : clock_from_ns((uint64_t)share[i].blocked_ns);
		struct op_end end = { .call = c->fn,
			.site = c->site,
			.post_enter = c->enter,
			.post_leave = c->leave,
			.blocked = ticks < left ? ticks : left,
			.predicted_ns = share[i].predicted_ns };

		left -= end.blocked;
		if (live_wait_ns(share[i].blocked_ns - share[i].predicted_ns, noise_ns) > 0)
			o->flags |= OP_WAITED;
		op_complete(c, o, &end);
	}
}

/* Describes both ops of a call that has succeeded, if possible. */
static inline void p2p_sendrecv(struct call *c, struct op op[2], const MPI_Status *status)
{
	if (unlikely(!op[0].known || !op[1].known))
		return;
	op_received(&op[1], status);
	op_pass_probed(c->t, &op[1]);
	p2p_exchanged(c, &op[0], &op[1]);
}

/* A receive of a matched message: its peer and tag come from the probe. */
static inline void p2p_describe_matched(struct call *c, struct op *op, uint8_t form,
	const struct matched *m, MPI_Count count, MPI_Datatype type)
{
	const struct type_cached *cached = type_get(c->t, type);

	op->kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, form);
	op->flags = OP_MPROBE | (cached->strided ? OP_STRIDED : 0);
	op->bytes = count > 0 ? (uint64_t)count * cached->bytes : 0;
	op->peer = -1;
	op->tier = TIER_NONE;
	op->comm = m ? m->comm : NULL;
	op->tag = m ? m->seen.tag : 0;
	if (op->comm)
		op_set_peer(op, m->seen.source);
	op_accepted(op);
}

#endif
