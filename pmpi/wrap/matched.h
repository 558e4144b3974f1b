/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matched.h: the work after a receive of a message that a matched probe took. wrap.awk makes the
 * wrappers.
 */
#ifndef TRYST_WRAP_MATCHED_H
#define TRYST_WRAP_MATCHED_H

#include "pmpi/wrap/p2p.h"

static inline void matched_received(struct call *c, struct op *op, uintptr_t message,
	const struct matched *m, MPI_Count count, MPI_Datatype type, const MPI_Status *status)
{
	p2p_describe_matched(c, op, FORM_BLOCKING, m, count, type);
	if (message == (uintptr_t)H(MPI_MESSAGE_NO_PROC))
		op->flags |= OP_PROC_NULL;
	op_received(op, status);
	if (m) {
		p2p_received_probed(c, op, &m->seen);
		comm_drop(m->comm);
	} else {
		op_complete_alone(c, op);
	}
}

static inline void matched_posted(struct call *c, struct op *op, uintptr_t message,
	const struct matched *m, MPI_Count count, MPI_Datatype type, MPI_Request request)
{
	p2p_describe_matched(c, op, FORM_NONBLOCKING, m, count, type);
	if (message == (uintptr_t)H(MPI_MESSAGE_NO_PROC))
		op->flags |= OP_PROC_NULL;
	request_post(c, op, request);
	if (m)
		comm_drop(m->comm);
}

/*
 * The receive failed. It may still have taken the message. The handle does not tell: MPICH leaves
 * the handle of a message that was too long.
 */
static __attribute__((noinline)) void matched_failed(struct call *c, struct op *op,
	const struct matched *m, MPI_Count count, MPI_Datatype type, int rc, MPI_Message after)
{
	if (p2p_was_too_long(rc)) {
		p2p_describe_matched(c, op, FORM_BLOCKING, m, count, type);
		op->flags |= OP_TRUNCATED;
		p2p_received_probed(c, op, &m->seen);
	} else if (m->message == (uintptr_t)after) {
		op_keep_matched(m);
		return;
	}
	comm_drop(m->comm);
}

#endif
