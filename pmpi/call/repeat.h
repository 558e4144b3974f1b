/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * repeat.h: sends and receives that repeat an earlier one.
 *
 * Programs make the same call again and again: from one callsite, with the same count, type, rank,
 * tag and communicator. Only its number, times and wait differ from the record of the call before.
 * A shape remembers the arguments, and where the earlier record stands in the ring. A call with the
 * same arguments copies a mark of 24 bytes. If it is complete when it returns, struct rec_again of
 * 16 bytes records it, instead of 64: without looking up handles and without a new prediction. If
 * it is not complete, its pending slot names the shape. Its completion then needs no new prediction
 * either, and struct rec_op2_again of 32 bytes records it, instead of 104.
 *
 * A shape is valid until the ring is flushed, or a communicator or datatype is freed. shapes_now()
 * is the sum of the counts of both events; both only grow, so comparing the sum is enough.
 * Wildcards, first messages of a pair and failed calls have no shapes.
 */
#ifndef TRYST_CALL_REPEAT_H
#define TRYST_CALL_REPEAT_H

#include "pmpi/call/op.h"

enum { SHAPE_NO_RECORD = UINT16_MAX };

HOT uint64_t shapes_now(const struct thread *t)
{
	return t->shapes_epoch + __atomic_load_n(&repeat_generation, __ATOMIC_RELAXED);
}

/* True if a shape found before the MPI call still belongs to op `id`: no callback replaced it. */
HOT bool repeat_holds(const struct thread *t, const struct repeat *s, uint64_t id)
{
	return s->now == shapes_now(t) && id - s->op_id <= UINT16_MAX;
}

HOT uint64_t repeat_pair(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

HOT uint32_t repeat_site(const struct repeat *s)
{
	return (uint32_t)s->site_fn;
}

HOT uint16_t repeat_fn(const struct repeat *s)
{
	return (uint16_t)(s->site_fn >> 32);
}

HOT struct repeat *repeat_slot(struct thread *t, uint32_t site, MPI_Count count, int rank, int tag)
{
	return &t->shapes[(site * 5 + (unsigned)rank * 3 + (unsigned)tag + (unsigned)count) %
		SHAPES];
}

/* The valid shape of a call like this one, or NULL. */
HOT const struct repeat *repeat_find(
	const struct call *c, MPI_Count count, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
{
	const struct repeat *s = repeat_slot(c->t, c->site, count, rank, tag);

	return likely(s->now == shapes_now(c->t) && s->site_fn == repeat_pair(c->site, c->fn) &&
		       s->rank_tag == repeat_pair((uint32_t)rank, (uint32_t)tag) &&
		       s->count == (uint64_t)count && s->type == (uintptr_t)type &&
		       s->comm == (uintptr_t)comm) ?
		s :
		NULL;
}

/* Does the work of op_before() from the shape. Returns the op's number. */
HOT uint64_t repeat_before(struct call *c, const struct repeat *s)
{
	struct current_call *now = &c->t->region->now;
	uint64_t id = op_next_id();

	now->op_id = id;
	now->mark = s->mark;
	return id;
}

/*
 * Records the op after the call. False if the shape is no longer valid, the ring is full, or the
 * number or a time does not fit: then the op needs a full record.
 */
HOT bool repeat_again(struct call *c, const struct repeat *s, uint64_t id)
{
	struct thread *t = c->t;
	struct rec_again *r = (void *)(t->region->ring + t->head);
	uint64_t enter_more = c->enter - s->enter_ticks, took = c->leave - c->enter;

	if (unlikely(!repeat_holds(t, s, id) || s->like == SHAPE_NO_RECORD ||
		    t->head + sizeof(*r) > t->limit || (enter_more | took) > UINT32_MAX))
		return false;
	*r = (struct rec_again){ .type = REC_AGAIN,
		.waited = took > s->patience,
		.words = sizeof(*r) / 8,
		.like = s->like,
		.op_id_more = (uint16_t)(id - s->op_id),
		.enter_more = (uint32_t)enter_more,
		.took_ticks = (uint32_t)took };
	t->in_ring[TABLE_OP]++;
	record_commit(t, sizeof(*r));
	c->sum->bytes += s->bytes;
	return true;
}

/* The valid shape that a pending op repeats, or NULL. */
HOT struct repeat *repeat_of(struct thread *t, const struct pending_op *p)
{
	struct repeat *s = &t->shapes[p->private_shape % SHAPES];

	return likely(p->private_extra && s->op_id == p->private_extra && s->now == shapes_now(t)) ?
		s :
		NULL;
}

/* Pending op p repeats the one of this shape. */
HOT void repeat_pends(const struct thread *t, const struct repeat *s, struct pending_op *p)
{
	p->private_extra = s->op_id;
	p->private_shape = (uint8_t)(s - t->shapes);
}

/*
 * Records an op of this shape that was pending until call c, like an earlier one that this call
 * completed. False if it needs a full record.
 */
HOT bool repeat_completes_again(struct call *c, const struct repeat *s, const struct pending_op *p,
	uint16_t flags, uint64_t blocked, int32_t predicted_ns)
{
	struct thread *t = c->t;
	const struct rec_op2 *like = (const void *)(t->region->ring + s->like2 * 8u);
	struct rec_op2_again *r = (void *)(t->region->ring + t->head);
	uint64_t id_more, enter_more, took = p->post_leave_ticks - p->post_enter_ticks;
	uint64_t complete_more = c->enter - p->post_enter_ticks,
		 complete_took = c->leave - c->enter;

	if (unlikely(s->like2 == SHAPE_NO_RECORD || p->poll_ticks ||
		    t->head + sizeof(*r) > t->limit))
		return false;
	id_more = p->op_id - like->op.op_id;
	enter_more = p->post_enter_ticks - like->op.enter_ticks;
	if (unlikely(((like->op.flags ^ flags) & ~OP_WAITED) || like->op.bytes != p->bytes ||
		    like->complete_call != c->fn || like->complete_callsite != c->site ||
		    id_more > UINT16_MAX ||
		    (enter_more | took | complete_more | complete_took) > UINT32_MAX))
		return false;
	*r = (struct rec_op2_again){ .type = REC_OP2_AGAIN,
		.waited = (flags & OP_WAITED) != 0,
		.words = sizeof(*r) / 8,
		.like = s->like2,
		.op_id_more = (uint16_t)id_more,
		.enter_more = (uint32_t)enter_more,
		.took_ticks = (uint32_t)took,
		.complete_more = (uint32_t)complete_more,
		.complete_took_ticks = (uint32_t)complete_took,
		.blocked_ticks = (uint32_t)blocked,
		.predicted_ns = predicted_ns };
	t->in_ring[TABLE_OP]++;
	record_commit(t, sizeof(*r));
	return true;
}

/*
 * Remembers an op as a shape; `posted`: the bytes in its mark. complete: the op is complete, and
 * the last record is its struct rec_op.
 */
HOT void repeat_keep(struct call *c, const struct op *op, bool complete, uint64_t posted,
	MPI_Count count, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
{
	const uint16_t never = OP_FIRST | OP_ANY_SOURCE | OP_ANY_TAG | OP_TRUNCATED | OP_PROBED;
	struct thread *t = c->t;
	const struct rec_op *r =
		complete ? (const void *)(t->region->ring + t->head - sizeof(*r)) : NULL;
	const struct live_link *link = complete ? op_link(op) : NULL;

	if (op->flags & never)
		return;
	*repeat_slot(t, c->site, count, rank, tag) = (struct repeat){ .now = shapes_now(t),
		.site_fn = repeat_pair(c->site, c->fn),
		.rank_tag = repeat_pair((uint32_t)rank, (uint32_t)tag),
		.count = (uint64_t)count,
		.type = (uintptr_t)type,
		.comm = (uintptr_t)comm,
		.op_id = op->id,
		.enter_ticks = c->enter,
		.bytes = op->bytes,
		.patience = link ? op_patience(link, op, r->predicted_ns) : UINT64_MAX,
		.flags = op->flags,
		.like = complete ? (uint16_t)((t->head - sizeof(struct rec_op)) / 8) :
				   SHAPE_NO_RECORD,
		.like2 = SHAPE_NO_RECORD,
		.tier = op->tier,
		.mark = { .bytes = posted,
			.peer = op->peer,
			.tag = tag,
			.comm = op->comm->id,
			.kind_mode = op->kind_mode,
			.flags8 = (uint8_t)op->flags } };
}

#endif
