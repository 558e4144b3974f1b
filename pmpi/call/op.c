/* SPDX-License-Identifier: BSD-3-Clause */
/* op.c: the less frequent ends of operations, and probes. */
#include "pmpi/call/op.h"

#include <stdlib.h>

/* Messages that matched probes took out of the queues. Any thread may receive them. */
enum { MATCHED_BUCKETS = 64 };
static struct {
	struct matched *bucket[MATCHED_BUCKETS];
	struct matched *free;
} matched;

/* Under the lock. */
static struct matched **matched_link(uintptr_t message)
{
	struct matched **link = &matched.bucket[(message >> 4 ^ message) % MATCHED_BUCKETS];

	while (*link && (*link)->message != message)
		link = &(*link)->next;
	return link;
}

void op_keep_matched(const struct matched *m)
{
	struct matched **link, *kept;

	shim_lock();
	link = matched_link(m->message);
	kept = *link;
	if (kept) {
		/* received without our notice, since its handle is used again */
		comm_drop(kept->comm);
	} else if (matched.free) {
		kept = matched.free;
		matched.free = kept->next;
		kept->next = NULL;
	} else {
		kept = calloc(1, sizeof(*kept));
	}
	if (kept) {
		kept->message = m->message;
		kept->comm = m->comm;
		kept->id = m->id;
		kept->seen = m->seen;
		*link = kept;
	} else {
		comm_drop(m->comm);
		ring_count_loss(&ring_file->dropped_other);
	}
	shim_unlock();
}

bool op_take_matched(uintptr_t message, struct matched *out)
{
	struct matched **link, *m;

	shim_lock();
	link = matched_link(message);
	m = *link;
	if (m) {
		*out = *m;
		*link = m->next;
		m->next = matched.free;
		matched.free = m;
	}
	shim_unlock();
	return m != NULL;
}

static void keep_probed(struct thread *t, const struct probed *seen)
{
	unsigned i;

	t->open_probes = true;
	for (i = 0; i < PROBES; i++) {
		struct probed *p = &t->probes[i];

		if (p->comm != seen->comm || p->source != seen->source || p->tag != seen->tag)
			continue;
		/* the same message again: its receive has waited in both probes */
		if (p->enter_ticks == 0)
			p->enter_ticks = seen->enter_ticks;
		p->blocked_ticks += seen->blocked_ticks;
		p->poll_ticks += seen->poll_ticks;
		return;
	}
	for (i = 0; i < PROBES && t->probes[i].comm != COMM_NONE; i++)
		;
	/* The table holds a few probes; the oldest one, whose message was not received, is dropped.
	 */
	t->probes[i < PROBES ? i : t->next_probe++ % PROBES] = *seen;
}

void op_probe_before(struct call *c, int source, int tag, MPI_Comm comm)
{
	struct current_call *now = &c->t->region->now;
	struct op op = { .comm = comm_find(c->t, comm),
		.peer = -1,
		.kind_mode = KIND_MODE(KIND_RECV, MODE_STANDARD, FORM_BLOCKING) };

	if (op.comm && source >= 0)
		op_set_peer(&op, source);
	else if (op.comm && source != MPI_ANY_SOURCE && source != MPI_PROC_NULL)
		op.peer = PEER_NEGATIVE;
	now->mark.peer = op.flags & OP_COMM_PEER ? -1 : op.peer;
	now->mark.tag = tag;
	now->mark.comm = op.comm ? op.comm->id : COMM_NONE;
	now->mark.bytes = 0;
	now->mark.flags8 = MARK_PROBE;
	now->mark.call = c->fn;
}

void op_probed(struct call *c, struct comm *comm, const MPI_Status *status, uintptr_t message,
	bool blocking, uint64_t poll_ticks)
{
	struct matched m = { .message = message,
		.comm = comm,
		.seen = { .comm = comm ? comm->id : COMM_NONE,
			.source = status->MPI_SOURCE,
			.tag = status->MPI_TAG,
			.enter_ticks = blocking ? c->enter : 0,
			.blocked_ticks = blocking ? c->leave - c->enter : 0,
			.poll_ticks = poll_ticks } };

	if (!comm || status->MPI_SOURCE < 0)
		return;
	if (message) {
		m.id = op_next_id();
		comm_hold(comm);
		op_keep_matched(&m);
	} else {
		keep_probed(c->t, &m.seen);
	}
}

const struct probed *op_take_probed(struct thread *t, const struct op *op, int source, int tag)
{
	bool any_source = source == MPI_ANY_SOURCE, any_tag = tag == MPI_ANY_TAG, open = false;

	for (unsigned i = 0; i < PROBES; i++) {
		struct probed *p = &t->probes[i];

		open |= p->comm != COMM_NONE;
		if (p->comm != op->comm->id || (p->source != source && !any_source) ||
			(p->tag != tag && !any_tag))
			continue;
		p->comm = COMM_NONE;
		return p;
	}
	t->open_probes = open;
	return NULL;
}

uint64_t op_poll(struct call *c, uintptr_t comm, int source, int tag, bool found)
{
	struct probe_poll *p = &c->t->poll;
	bool same = p->first_ticks && p->comm == comm && p->source == source && p->tag == tag &&
		c->enter - p->last_ticks < shim_clock.poll_gap;
	uint64_t polled;

	if (!same)
		*p = (struct probe_poll){ comm, source, tag, c->enter, c->leave };
	p->last_ticks = c->leave;
	if (!found)
		return 0;
	/* Polling counts from the first unsuccessful try; an immediate success is no polling. */
	polled = same ? c->leave - p->first_ticks : 0;
	p->first_ticks = 0;
	return polled;
}
