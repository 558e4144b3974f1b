/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c: from the post of a request to the record of its completion. */
#include "pmpi/call/request.h"

#include "next.h"

/*
 * Posts op under the handle. of: number of its communicator, or of a transfer's object; received:
 * bytes of a collective; repeats: its shape, or NULL.
 */
HOT void insert(const struct call *c, const struct op *op, const struct repeat *repeats,
	uint32_t of, uint64_t received, MPI_Request handle)
{
	uint32_t i;

	shim_lock();
	i = pending_new();
	if (likely(i)) {
		struct pending_op *p = pending_at(i);

		p->op_id = op->id;
		p->post_enter_ticks = c->enter;
		p->post_leave_ticks = c->leave;
		p->bytes = op->bytes;
		p->recv_bytes = received;
		p->poll_ticks = 0;
		p->private_extra = 0;
		p->peer = op->peer;
		p->tag = op->tag;
		p->comm = of;
		p->callsite = c->site;
		p->call = c->fn;
		p->flags = op->flags;
		p->kind_mode = op->kind_mode;
		p->tier = op->tier;
		p->thread = c->t->region->thread;
		if (op->flags & OP_ANY_SOURCE && op->comm) {
			/*
			 * its members are needed once the source is known, even if it is freed
			 * before
			 */
			p->private_extra = (uint64_t)(uintptr_t)op->comm;
			comm_hold(op->comm);
		}
		if (repeats)
			repeat_pends(c->t, repeats, p);
		pending_append(i, (uintptr_t)handle);
	}
	shim_unlock();
}

static void insert_op(const struct call *c, const struct op *op, MPI_Request handle)
{
	insert(c, op, NULL, op->comm ? op->comm->id : COMM_NONE, 0, handle);
}

bool request_post(struct call *c, struct op *op, MPI_Request request)
{
	op_pass_probed(c->t, op);
	if (pending_is_complete((uintptr_t)request)) {
		op->flags |= OP_AT_POST;
		op_complete_alone(c, op);
		return true;
	}
	c->sum->bytes += op->bytes;
	insert_op(c, op, request);
	return false;
}

bool request_pend_again(struct thread *t, const struct repeat *s, uint64_t id, uint64_t enter,
	uint64_t leave, MPI_Request request)
{
	const struct call c = {
		.t = t, .enter = enter, .leave = leave, .site = repeat_site(s), .fn = repeat_fn(s)
	};
	const struct op op = { .id = id,
		.bytes = s->mark.bytes,
		.peer = s->mark.peer,
		.tag = s->mark.tag,
		.flags = s->flags & (uint16_t)~OP_AT_POST,
		.kind_mode = s->mark.kind_mode,
		.tier = s->tier };

	if (unlikely(!repeat_holds(t, s, id) || t->open_probes))
		return false;
	insert(&c, &op, s, s->mark.comm, 0, request);
	return true;
}

void request_post_started(struct call *c, const struct op *op, MPI_Request request)
{
	op_pass_probed(c->t, op);
	c->sum->bytes += op->bytes;
	insert_op(c, op, request);
}

bool request_any_pairs;

void request_post_pair(struct call *c, struct op op[2], MPI_Request request)
{
	if (!op[0].known || !op[1].known)
		return;
	__atomic_store_n(&request_any_pairs, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++) {
		op[i].flags |= OP_SENDRECV;
		request_post(c, &op[i], request);
	}
}

void request_post_coll(struct call *c, const struct coll *k, MPI_Request request)
{
	if (pending_is_complete((uintptr_t)request))
		request_coll(c, k);
	else
		request_post_coll_started(c, k, request);
}

void request_post_coll_started(struct call *c, const struct coll *k, MPI_Request request)
{
	const struct op none = {
		.id = k->seq, .bytes = k->sent, .peer = k->root, .tier = TIER_NONE
	};

	c->sum->bytes += k->sent;
	insert(c, &none, NULL, k->comm->id, k->recv, request);
}

/* The part of a record that all transfers have. */
static void fill_transfer(struct rec_transfer *r, const struct call *c, const struct transfer *x)
{
	*r = (struct rec_transfer){ .type = x->is_io ? REC_IO : REC_RMA,
		.words = sizeof(*r) / 8,
		.call = c->fn,
		.enter_ticks = c->enter,
		.leave_ticks = c->leave,
		.bytes = x->bytes,
		.object = x->object,
		.seq = x->seq,
		.peer = x->peer,
		.callsite = c->site };
}

void request_transfer(struct call *c, const struct transfer *x)
{
	struct rec_transfer *r = record_reserve(c->t, sizeof(*r));

	fill_transfer(r, c, x);
	c->t->in_ring[x->is_io ? TABLE_IO : TABLE_RMA]++;
	record_commit(c->t, sizeof(*r));
}

void request_post_transfer(struct call *c, const struct transfer *x, MPI_Request request)
{
	const struct op none = { .id = x->seq,
		.bytes = x->bytes,
		.peer = x->peer,
		.tier = TIER_NONE,
		.kind_mode = x->is_io ? KIND_MODE_IO : KIND_MODE_RMA };

	if (pending_is_complete((uintptr_t)request))
		request_transfer(c, x);
	else
		insert(c, &none, NULL, x->object, 0, request);
}

static void restore_op(const struct pending_op *p, struct op *op)
{
	*op = (struct op){ .id = p->op_id,
		.bytes = p->bytes,
		.peer = p->peer,
		.tag = p->tag,
		.flags = p->flags,
		.kind_mode = p->kind_mode,
		.tier = p->tier };
}

static void emit_coll(struct call *c, const struct pending_op *p, uint64_t blocked)
{
	struct rec_collective2 *r = record_reserve(c->t, sizeof(*r));

	*r = (struct rec_collective2){ .coll = { .type = REC_COLLECTIVE2,
					       .words = sizeof(*r) / 8,
					       .call = p->call,
					       .seq = p->op_id,
					       .enter_ticks = p->post_enter_ticks,
					       .leave_ticks = p->post_leave_ticks,
					       .sent_bytes = p->bytes,
					       .recv_bytes = p->recv_bytes,
					       .root = p->peer,
					       .comm = p->comm,
					       .callsite = p->callsite },
		.complete_call = c->fn,
		.complete_callsite = c->site,
		.complete_enter_ticks = c->enter,
		.complete_leave_ticks = c->leave,
		.blocked_ticks = blocked };
	c->t->in_ring[TABLE_COLLECTIVE]++;
	record_commit(c->t, sizeof(*r));
}

static bool is_transfer(const struct pending_op *p)
{
	return KM_KIND(p->kind_mode) == KIND_TRANSFER;
}

static void emit_transfer(struct call *c, const struct pending_op *p, uint64_t blocked)
{
	struct rec_transfer2 *r = record_reserve(c->t, sizeof(*r));
	bool is_io = p->kind_mode == KIND_MODE_IO;

	*r = (struct rec_transfer2){ .transfer = { .type = is_io ? REC_IO2 : REC_RMA2,
					     .words = sizeof(*r) / 8,
					     .call = p->call,
					     .enter_ticks = p->post_enter_ticks,
					     .leave_ticks = p->post_leave_ticks,
					     .bytes = p->bytes,
					     .object = p->comm,
					     .seq = (uint32_t)p->op_id,
					     .peer = p->peer,
					     .callsite = p->callsite },
		.complete_call = c->fn,
		.complete_callsite = c->site,
		.complete_enter_ticks = c->enter,
		.complete_leave_ticks = c->leave,
		.blocked_ticks = blocked };
	c->t->in_ring[is_io ? TABLE_IO : TABLE_RMA]++;
	record_commit(c->t, sizeof(*r));
}

static bool is_op(const struct pending_op *p)
{
	return p->kind_mode != 0 && !is_transfer(p);
}

/* Records a collective or a transfer, which are no ops. */
static __attribute__((noinline)) void emit_no_op(
	struct call *c, const struct pending_op *p, uint64_t blocked)
{
	if (p->kind_mode == 0)
		emit_coll(c, p, blocked);
	else
		emit_transfer(c, p, blocked);
}

/* Drops the communicator that was held for a wildcard receive. Under the lock. */
static void let_go(struct pending_op *p)
{
	if (unlikely(p->flags & OP_ANY_SOURCE) && p->private_extra) {
		struct comm *comm = (struct comm *)(uintptr_t)p->private_extra;

		p->private_extra = 0;
		comm_drop(comm);
	}
}

/* Takes source, tag, bytes, cancelled and failed of a completed op from its status. */
static void apply_status(struct pending_op *p, const MPI_Status *status, int error)
{
	if (error != MPI_SUCCESS)
		p->flags |= OP_TRUNCATED;
	if (p->kind_mode == 0 || !status)
		return;
	if (is_transfer(p)) {
		/* A file may have ended earlier; for windows the status has no size. */
		if (p->kind_mode == KIND_MODE_IO && status_bytes(status) < p->bytes)
			p->bytes = status_bytes(status);
		return;
	}
	/* MPICH does not fill in the statuses of these, so the posted size is used. */
	if (p->flags & OP_SENDRECV || KM_FORM(p->kind_mode) == FORM_PARTITIONED)
		return;
	if (status_cancelled(status)) {
		p->flags |= OP_CANCELLED;
		return;
	}
	p->flags &= (uint16_t)~OP_CANCELLED;
	if (KM_KIND(p->kind_mode) == KIND_RECV && !(p->flags & OP_PROC_NULL)) {
		p->bytes = status_bytes(status);
		if (p->flags & OP_ANY_TAG)
			p->tag = status->MPI_TAG;
		if (p->flags & OP_ANY_SOURCE && p->private_extra) {
			struct op op = { .comm = (struct comm *)(uintptr_t)p->private_extra,
				.flags = p->flags,
				.kind_mode = p->kind_mode };

			op_set_peer(&op, status->MPI_SOURCE);
			op_accepted(&op);
			p->peer = op.peer;
			p->tier = op.tier;
			p->flags = op.flags;
		}
	}
}

static const struct live_link *pending_link(const struct pending_op *p)
{
	return p->kind_mode ? shim_link(p->tier) : NULL;
}

/*
 * The polling time that ends with the op's completion in call c. Polling before a longer gap does
 * not count, whether new polling or a blocking call follows the gap.
 */
static uint64_t polled(const struct call *c, const struct pending_op *p)
{
	bool goes_on = p->poll_ticks && c->enter - p->poll_last_ticks < shim_clock.poll_gap;

	return goes_on ? c->leave - p->poll_ticks : 0;
}

/* The input of a pending op's prediction: from its shape s (may be NULL), or *own, filled here. */
HOT const struct live_terms *terms_of(
	struct repeat *s, const struct pending_op *p, struct live_terms *own)
{
	static const struct live_terms none = { .noise_ns = INT64_MAX, .direction = LIVE_APART };
	const struct live_link *link;

	if (likely(s && s->terms.known && s->terms_bytes == p->bytes))
		return &s->terms;
	link = pending_link(p);
	if (!link)
		return &none;
	live_terms_make(link, p->kind_mode, p->flags, p->bytes, own);
	if (s) {
		s->terms = *own;
		s->terms_bytes = p->bytes;
	}
	return own;
}

static __attribute__((noinline)) void end_first(struct call *c, const struct pending_op *p,
	uint16_t flags, uint64_t blocked, int64_t predicted_ns)
{
	struct op_end end = { .call = p->call,
		.site = p->callsite,
		.post_enter = p->post_enter_ticks,
		.post_leave = p->post_leave_ticks,
		.blocked = blocked,
		.poll = polled(c, p),
		.predicted_ns = predicted_ns };
	struct comm as_posted = { .id = p->comm };
	struct repeat *s;
	struct op op;

	restore_op(p, &op);
	op.comm = &as_posted;
	op.flags = flags;
	op_complete(c, &op, &end);
	s = repeat_of(c->t, p);
	if (s)
		s->like2 = (uint16_t)((c->t->head - sizeof(struct rec_op2)) / 8);
}

/* known: there is a prediction. */
HOT void end_op(struct call *c, const struct pending_op *p, const struct repeat *s, bool known,
	bool waited, uint64_t blocked, int64_t predicted_ns)
{
	uint16_t flags = p->flags | (waited ? OP_WAITED : 0);

	if (unlikely(!s ||
		    !repeat_completes_again(c, s, p, flags | (known ? 0 : OP_NO_PREDICTION),
			    blocked, op_clip_ns(predicted_ns))))
		end_first(c, p, flags, blocked, predicted_ns);
}

/*
 * Takes the op that call c has completed under this handle, and finishes it; 0: none. Under the
 * lock.
 */
static uint32_t take_settled(
	const struct call *c, MPI_Request handle, const MPI_Status *status, int error)
{
	uint32_t i = pending_take((uintptr_t)handle, c->posts);

	if (i) {
		apply_status(pending_at(i), status, error);
		let_go(pending_at(i));
	}
	return i;
}

/* True if another op belongs to the same request, as of MPI_Isendrecv. */
static bool has_partner(const struct pending_op *p)
{
	return p->flags & OP_SENDRECV;
}

/* A slot's entry in the shares of call c; its ticks are set later. */
HOT void share_of(const struct call *c, uint32_t slot, struct live_share *share)
{
	const struct pending_op *p = pending_at(slot);
	struct live_terms own;

	live_op(terms_of(repeat_of(c->t, p), p, &own), clock_ns(c->enter - p->post_enter_ticks),
		share);
	share->user = slot;
}

/* Sets the ticks of all shares so that they add up to the call's ticks exactly. */
static void emit_shares(struct call *c, struct live_share *share, size_t n)
{
	uint64_t left = c->leave - c->enter;
	int64_t others_noise_ns = 0;

	for (size_t i = 0; i < n; i++) {
		const struct pending_op *p = pending_at(share[i].user);
		struct repeat *s = repeat_of(c->t, p);
		struct live_terms own;
		uint64_t ticks = clock_from_ns((uint64_t)share[i].blocked_ns);

		if (ticks > left || i == n - 1)
			ticks = left;
		left -= ticks;
		if (likely(is_op(p))) {
			const struct live_terms *terms = terms_of(s, p, &own);
			int64_t excess_ns = share[i].blocked_ns - share[i].predicted_ns;
			int64_t noise_ns = i < n - 1 ? terms->noise_ns :
						       live_last_noise_ns(terms, others_noise_ns);

			others_noise_ns += terms->next_noise_ns;
			end_op(c, p, s, terms->known, live_wait_ns(excess_ns, noise_ns) > 0, ticks,
				share[i].predicted_ns);
		} else {
			emit_no_op(c, p, ticks);
		}
	}
	shim_lock();
	for (size_t i = 0; i < n; i++)
		pending_give(share[i].user);
	shim_unlock();
}

/* Completes a request of two ops, alone in its call, whose first op is already taken. */
static __attribute__((noinline)) void complete_pair(struct call *c, uint32_t first, uint32_t second)
{
	struct live_share share[2];

	share_of(c, first, &share[0]);
	if (second)
		share_of(c, second, &share[1]);
	live_share(share, second ? 2 : 1, 0, clock_ns(c->leave - c->enter));
	emit_shares(c, share, second ? 2 : 1);
}

/* Records what p describes: the only request that call c completed. */
HOT void end_alone(struct call *c, const struct pending_op *p)
{
	const uint64_t blocked = c->leave - c->enter;
	const struct live_terms *terms;
	struct live_terms own;
	int64_t predicted_ns;
	struct repeat *s;

	if (unlikely(!is_op(p))) {
		emit_no_op(c, p, blocked);
		return;
	}
	s = repeat_of(c->t, p);
	terms = terms_of(s, p, &own);
	predicted_ns = live_terms_rest_ns(terms, clock_ns(c->enter - p->post_enter_ticks));
	end_op(c, p, s, terms->known,
		live_wait_ns(clock_ns(blocked) - predicted_ns, terms->noise_ns) > 0, blocked,
		predicted_ns);
}

/* Frees a taken slot whose record is written: a process killed in between keeps the record. */
HOT void give_recorded(uint32_t slot)
{
	shim_lock();
	pending_give(slot);
	shim_unlock();
}

void request_complete(struct call *c, MPI_Request handle, const MPI_Status *status, int error)
{
	uint32_t i, second = 0;
	bool pair;

	if (pending_none() || pending_never((uintptr_t)handle))
		return;
	shim_lock();
	i = take_settled(c, handle, status, error);
	pair = i && has_partner(pending_at(i));
	if (unlikely(pair))
		second = take_settled(c, handle, status, error);
	shim_unlock();
	if (!i)
		return;
	if (unlikely(pair)) {
		complete_pair(c, i, second);
		return;
	}
	end_alone(c, pending_at(i));
	give_recorded(i);
}

/* The error of the request whose status is at i, in a call that returned `error`. */
static int own_error(const struct many *m, int error, size_t i)
{
	return error == MPI_ERR_IN_STATUS && m->status ? m->status[i].MPI_ERROR : error;
}

/*
 * Takes the completed ops out of their chains, finishes and describes them. Returns their number.
 */
static size_t take_many(
	const struct call *c, const struct many *m, int error, size_t n, const int *index)
{
	size_t found = 0;

	shim_lock();
	for (size_t i = 0; i < n; i++) {
		size_t at = index ? (size_t)index[i] : i;
		const MPI_Status *status = m->status ? &m->status[i] : NULL;
		int e = own_error(m, error, i);
		uint32_t slot;

		if (at >= m->n || e == MPI_ERR_PENDING || pending_never((uintptr_t)m->handle[at]))
			continue;
		slot = take_settled(c, m->handle[at], status, e);
		if (unlikely(slot && has_partner(pending_at(slot)))) {
			share_of(c, slot, &m->share[found++]);
			slot = take_settled(c, m->handle[at], status, e);
		}
		if (likely(slot))
			share_of(c, slot, &m->share[found++]);
	}
	shim_unlock();
	return found;
}

void request_complete_many(
	struct call *c, const struct many *m, int error, size_t n, const int *index)
{
	size_t found;

	if (pending_none())
		return;
	if (n == 1 && (!index || (size_t)*index < m->n)) {
		int e = own_error(m, error, 0);

		if (e != MPI_ERR_PENDING)
			request_complete(c, m->handle[index ? *index : 0], m->status, e);
		return;
	}
	found = take_many(c, m, error, n, index);
	if (found) {
		live_share(m->share, found, 0, clock_ns(c->leave - c->enter));
		emit_shares(c, m->share, found);
	}
}

void request_polled(struct call *c, const MPI_Request *handles, size_t n)
{
	if (pending_none())
		return;
	shim_lock();
	for (size_t i = 0; i < n; i++) {
		struct pending_op *p = pending_find((uintptr_t)handles[i], c->posts);

		if (!p || p->kind_mode == 0 || is_transfer(p))
			continue;
		/* Polling began here, or again after a longer gap. */
		if (p->poll_ticks == 0 || c->enter - p->poll_last_ticks >= shim_clock.poll_gap)
			p->poll_ticks = c->enter;
		p->poll_last_ticks = c->leave;
	}
	shim_unlock();
}

/*
 * Marks a receive as cancelled, in case it never completes. A receive without a message does no
 * harm. Sends are not marked: if the cancel of a send failed, its message was received, and that
 * receive needs the send.
 */
void request_cancel(struct call *c, MPI_Request handle)
{
	struct pending_op *p;

	if (pending_none() || pending_never((uintptr_t)handle))
		return;
	shim_lock();
	p = pending_find((uintptr_t)handle, c->posts);
	if (p && KM_KIND(p->kind_mode) == KIND_RECV)
		p->flags |= OP_CANCELLED;
	shim_unlock();
}

void request_leaves(struct leaving *l, MPI_Request request)
{
	l->slot[1] = 0;
	shim_lock();
	l->slot[0] = pending_take((uintptr_t)request, pending_posts());
	if (l->slot[0] && has_partner(pending_at(l->slot[0])))
		l->slot[1] = pending_take((uintptr_t)request, pending_posts());
	shim_unlock();
}

/* MPI has refused: the ops taken aside are pending again. */
static void put_back(const struct leaving *l)
{
	shim_lock();
	for (int i = 0; i < 2; i++) {
		if (l->slot[i])
			pending_put_back(l->slot[i]);
	}
	shim_unlock();
}

/* Its completion will never be seen, so it ends here without blocked time. */
static void end_freed(struct call *c, uint32_t slot)
{
	struct pending_op *p = pending_at(slot);

	shim_lock();
	let_go(p);
	shim_unlock();
	if (is_op(p))
		end_first(c, p, p->flags | OP_FREED, 0, 0);
	else
		emit_no_op(c, p, 0);
	give_recorded(slot);
}

void request_left(struct call *c, const struct leaving *l, bool freed)
{
	if (!freed) {
		put_back(l);
		return;
	}
	for (int i = 0; i < 2; i++)
		if (l->slot[i])
			end_freed(c, l->slot[i]);
}

void request_leave(struct call *c)
{
	for (uint32_t i = 1; i <= pending_last(); i++) {
		bool pending;

		shim_lock();
		pending = pending_at(i)->state == PENDING_POSTED && pending_remove(i);
		shim_unlock();
		if (pending)
			end_freed(c, i);
	}
}

/* Collectives on one rank are complete at once, and complete ones share a handle. */
static void learn_complete_coll(void)
{
	MPI_Request request[2] = { H(MPI_REQUEST_NULL), H(MPI_REQUEST_NULL) };

	if (pnext.MPI_Ibarrier(H(MPI_COMM_SELF), &request[0]) == MPI_SUCCESS &&
		pnext.MPI_Ibarrier(H(MPI_COMM_SELF), &request[1]) == MPI_SUCCESS &&
		request[0] == request[1])
		pending_learn_complete((uintptr_t)request[0]);
	pnext.MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

int request_start(struct thread *t)
{
	MPI_Request request;
	char byte = 0;

	(void)t;
	if (pending_start() != 0)
		return -1;
	if (pnext.MPI_Isend(&byte, 1, H(MPI_BYTE), MPI_PROC_NULL, 0, comm_all, &request) ==
		MPI_SUCCESS) {
		pending_learn_complete((uintptr_t)request);
		pnext.MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	if (pnext.MPI_Irecv(&byte, 1, H(MPI_BYTE), MPI_PROC_NULL, 0, comm_all, &request) ==
		MPI_SUCCESS) {
		pending_learn_complete((uintptr_t)request);
		pnext.MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	if (complete_send)
		pending_learn_complete(complete_send);
	/* a session has no such communicator */
	if (comm_all == H(MPI_COMM_WORLD))
		learn_complete_coll();
	return 0;
}
