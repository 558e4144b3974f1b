/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * op.h: operations: their description when posted, and their record when complete.
 */
#ifndef TRYST_CALL_OP_H
#define TRYST_CALL_OP_H

#include "pmpi/call/call.h"
#include "pmpi/call/comm.h"
#include "pmpi/dispatch/handles.h"
#include "next.h"
#include "pmpi/call/status.h"

/* One endpoint of one message, as its wrapper sees it. */
struct op {
	struct comm *comm; /* NULL: not known before the call */
	uint64_t id;
	uint64_t bytes;
	/* world rank, or -1; PEER_NOT_THERE() or PEER_NEGATIVE until MPI has refused it */
	int32_t peer;
	int32_t rank; /* as the program named it: rank in comm, or a wildcard */
	int32_t tag;
	uint16_t flags;
	uint8_t kind_mode;
	uint8_t tier;
	bool known; /* described before the call without asking MPI */
};

HOT uint64_t op_next_id(void)
{
	if (unlikely(shim.threaded))
		return __atomic_add_fetch(&ring_file->ops, 1, __ATOMIC_RELAXED);
	return ++ring_file->ops;
}

HOT uint8_t op_first_bit(const struct op *op)
{
	return KM_KIND(op->kind_mode) == KIND_SEND ? PEER_SENT : PEER_RECEIVED;
}

/* Sets the peer's world rank, its tier, and whether this would be the pair's first message. */
HOT void op_set_peer(struct op *op, int rank)
{
	op->rank = rank;
	op->peer = comm_world(op->comm, rank);
	op->tier = TIER_NONE;
	if (likely(op->peer >= 0)) {
		uint8_t peer = __atomic_load_n(&shim.peer[op->peer], __ATOMIC_RELAXED);

		op->tier = peer & PEER_LINK;
		if (unlikely(!(peer & op_first_bit(op))))
			op->flags |= OP_FIRST;
	} else if (unlikely(rank >= comm_peers(op->comm))) {
		op->peer = PEER_NOT_THERE(rank);
	} else if (op->comm->foreign) {
		op->flags |= OP_COMM_PEER;
		op->peer = op->comm->there ? op->comm->there[rank] : rank;
	}
}

/* MPI has accepted the op: marks the pair's first message, once even with several threads. */
HOT void op_accepted(struct op *op)
{
	if (unlikely(op->flags & OP_FIRST)) {
		uint8_t bit = op_first_bit(op);

		if (__atomic_fetch_or(&shim.peer[op->peer], bit, __ATOMIC_RELAXED) & bit)
			op->flags &= (uint16_t)~OP_FIRST;
	}
}

HOT void op_describe(struct op *op, struct comm *comm, const struct type_cached *type,
	MPI_Count count, int rank, int tag)
{
	op->comm = comm;
	op->bytes = count > 0 ? (uint64_t)count * type->bytes : 0;
	if (unlikely(type->strided))
		op->flags |= OP_STRIDED;
	op->tag = tag;
	op->peer = -1;
	op->tier = TIER_NONE;
	if (likely(rank >= 0)) {
		op_set_peer(op, rank);
	} else {
		op->rank = rank;
		if (rank == MPI_PROC_NULL)
			op->flags |= OP_PROC_NULL;
		else if (rank == MPI_ANY_SOURCE)
			op->flags |= OP_ANY_SOURCE;
		else
			op->peer = PEER_NEGATIVE;
	}
	if (KM_KIND(op->kind_mode) == KIND_RECV && tag == MPI_ANY_TAG)
		op->flags |= OP_ANY_TAG;
}

/*
 * Before the call. MPI must not be asked about handles that it has not yet accepted, so the op is
 * described from what is already known. The mark "this thread is about to ..." is written.
 */
HOT void op_before(struct call *c, struct op *op, uint8_t kind_mode, MPI_Count count,
	MPI_Datatype type, int rank, int tag, MPI_Comm comm)
{
	struct call_mark *mark = &c->t->region->now.mark;
	struct comm *known_comm = comm_find(c->t, comm);
	const struct type_cached *known_type = type_find(c->t, type);
	/* making a persistent request is no op; each of its starts is one */
	const bool posts =
		KM_FORM(kind_mode) != FORM_PERSISTENT && KM_FORM(kind_mode) != FORM_PARTITIONED;

	op->kind_mode = kind_mode;
	op->flags = 0;
	op->id = posts ? op_next_id() : 0;
	op->known = likely(known_comm && known_type);
	if (likely(op->known)) {
		op_describe(op, known_comm, known_type, count, rank, tag);
		mark->peer = op->peer;
		mark->bytes = op->bytes;
		mark->comm = known_comm->id;
	} else {
		mark->peer = rank;
		mark->bytes = 0;
		mark->comm = COMM_NONE;
	}
	mark->tag = tag;
	mark->flags8 = (uint8_t)op->flags;
	mark->kind_mode = posts ? kind_mode : 0;
	c->t->region->now.op_id = op->id;
}

/*
 * Before a call of two ops, after op_before() of both. The mark shows the second op, or the first
 * if MPI will refuse the second.
 */
HOT void op_before_pair(struct call *c, const struct op *first)
{
	struct current_call *now = &c->t->region->now;

	if (likely(!first->known ||
		    (first->peer >= -1 && (first->tag >= 0 || first->flags & OP_PROC_NULL))))
		return;
	now->mark.peer = first->peer;
	now->mark.bytes = first->bytes;
	now->mark.tag = first->tag;
	now->mark.flags8 = (uint8_t)first->flags;
	now->mark.kind_mode = first->kind_mode;
	now->op_id = first->id;
}

/* After the call has succeeded: fills in what was unknown before the call. */
HOT void op_learn(struct call *c, struct op *op, MPI_Count count, MPI_Datatype type, int rank,
	int tag, MPI_Comm comm)
{
	struct comm *found;

	if (likely(op->known))
		return;
	found = comm_get(c->t, comm);
	if (found)
		op_describe(op, found, type_get(c->t, type), count, rank, tag);
	op->known = found != NULL;
}

/* The same for a call that has posted the op. */
HOT void op_after(struct call *c, struct op *op, MPI_Count count, MPI_Datatype type, int rank,
	int tag, MPI_Comm comm)
{
	op_learn(c, op, count, type, rank, tag, comm);
	/*
	 * After calling the program's error handler MPICH 5.0 returns MPI_SUCCESS, even though it
	 * refused the call. A peer below -1 is invalid, so the call was refused.
	 */
	if (unlikely(op->peer < -1))
		op->known = false;
	op_accepted(op);
}

/* A receive has completed: sets its source and its size. */
HOT void op_received(struct op *op, const MPI_Status *status)
{
	if (op->flags & OP_PROC_NULL)
		return;
	op->bytes = status_bytes(status);
	if (op->flags & OP_ANY_TAG)
		op->tag = status->MPI_TAG;
	if (op->flags & OP_ANY_SOURCE) {
		op_set_peer(op, status->MPI_SOURCE);
		op_accepted(op);
	}
}

HOT int32_t op_clip_ns(int64_t ns)
{
	return ns > INT32_MAX ? INT32_MAX : ns < 0 ? 0 : (int32_t)ns;
}

/* The part of a record that all ops have. */
HOT void op_fill(struct rec_op *r, const struct op *op, unsigned call, uint32_t site,
	uint64_t enter, uint64_t leave)
{
	r->kind_mode = op->kind_mode;
	r->call = (uint16_t)call;
	r->op_id = op->id;
	r->enter_ticks = enter;
	r->leave_ticks = leave;
	r->bytes = op->bytes;
	r->peer = op->peer;
	r->tag = op->tag;
	r->comm = op->comm ? op->comm->id : COMM_NONE;
	r->callsite = site;
	r->tier = op->tier;
	r->pad = 0;
}

HOT const struct live_link *op_link(const struct op *op)
{
	return shim_link(op->tier);
}

/* The duration beyond which an op alone in its call has waited [ticks]. */
HOT uint64_t op_patience(const struct live_link *link, const struct op *op, int64_t predicted_ns)
{
	int64_t noise_ns = live_noise_ns(link, op->kind_mode, op->bytes);

	return noise_ns == INT64_MAX ? UINT64_MAX :
				       clock_from_ns((uint64_t)(predicted_ns + noise_ns));
}

/*
 * Records an op that was complete when call c returned, was alone in it, and took no probed
 * message.
 */
HOT void op_complete_alone(struct call *c, const struct op *op)
{
	struct rec_op *r = record_reserve(c->t, sizeof(*r));
	const struct live_link *link = op_link(op);

	r->type = REC_OP;
	r->words = sizeof(*r) / 8;
	op_fill(r, op, c->fn, c->site, c->enter, c->leave);
	if (likely(link)) {
		r->class8 = live_class(link, op->kind_mode, op->flags, op->bytes);
		r->predicted_ns =
			op_clip_ns(live_blocking_ns(link, op->kind_mode, op->flags, op->bytes));
		r->flags = op->flags;
		if (c->leave - c->enter > op_patience(link, op, r->predicted_ns))
			r->flags |= OP_WAITED;
	} else {
		r->class8 = 0;
		r->predicted_ns = 0;
		r->flags = op->flags | OP_NO_PREDICTION;
	}
	c->t->in_ring[TABLE_OP]++;
	record_commit(c->t, sizeof(*r));
	c->sum->bytes += op->bytes;
}

/* The end of an op that did not simply block. */
struct op_end {
	unsigned call; /* FN_* of the post */
	uint32_t site; /* of the post */
	uint64_t post_enter;
	uint64_t post_leave;
	uint64_t blocked; /* [ticks] */
	uint64_t poll;    /* [ticks] */
	int64_t predicted_ns;
};

/* Records an op that completed in call c. */
HOT void op_complete(struct call *c, const struct op *op, const struct op_end *end)
{
	struct rec_op2 *r = record_reserve(c->t, sizeof(*r));
	const struct live_link *link = op_link(op);

	r->op.type = REC_OP2;
	r->op.words = sizeof(*r) / 8;
	op_fill(&r->op, op, end->call, end->site, end->post_enter, end->post_leave);
	r->op.flags = op->flags | (link ? 0 : OP_NO_PREDICTION);
	r->op.class8 = link ? live_class(link, op->kind_mode, op->flags, op->bytes) : 0;
	r->op.predicted_ns = link ? op_clip_ns(end->predicted_ns) : 0;
	r->complete_call = c->fn;
	r->pad = 0;
	r->complete_callsite = c->site;
	r->complete_enter_ticks = c->enter;
	r->complete_leave_ticks = c->leave;
	r->blocked_ticks = end->blocked;
	r->poll_ticks = end->poll;
	c->t->in_ring[TABLE_OP]++;
	record_commit(c->t, sizeof(*r));
}

/* Before a blocking probe, which is no op: marks the message for which it will wait. */
void op_probe_before(struct call *c, int source, int tag, MPI_Comm comm);

/*
 * A successful probe. After a plain probe, a receive on this thread will take the message; a second
 * probe may see the same message. After a matched probe, only a receive of the message's handle can
 * take it, so that receive gets its number now.
 */
void op_probed(struct call *c, struct comm *comm, const MPI_Status *status, uintptr_t message,
	bool blocking, uint64_t poll_ticks);

/*
 * The plain probe that saw the message of this receive, or NULL. Removes it from the table. source,
 * tag: of the message, or of the receive if the message's are still unknown.
 */
const struct probed *op_take_probed(struct thread *t, const struct op *op, int source, int tag);

/* The same for a receive that does not complete in its post: it cannot take the probe's time. */
HOT void op_pass_probed(struct thread *t, const struct op *op)
{
	if (unlikely(t->open_probes) && KM_KIND(op->kind_mode) == KIND_RECV &&
		!(op->flags & (OP_MPROBE | OP_PROC_NULL)))
		op_take_probed(t, op, op->rank, op->flags & OP_ANY_TAG ? MPI_ANY_TAG : op->tag);
}

/* A message that a matched probe has taken. */
struct matched {
	uintptr_t message; /* its handle */
	struct comm *comm; /* held */
	uint64_t id;       /* its receive's number */
	struct probed seen;
	struct matched *next; /* hash chain */
};

/* Remembers it, and takes over its hold of the communicator. */
void op_keep_matched(const struct matched *m);

/* Removes and returns it, with its hold. False: unknown. */
bool op_take_matched(uintptr_t message, struct matched *out);

/* Polling by MPI_Iprobe and MPI_Improbe: returns the polling time once a message is there. */
uint64_t op_poll(struct call *c, uintptr_t comm, int source, int tag, bool found);

#endif
