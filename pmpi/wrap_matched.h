/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap_matched.h: what follows a receive of a message that a matched probe took. The wrappers are
 * made by wrap.awk.
 */
#ifndef TRYST_WRAP_MATCHED_H
#define TRYST_WRAP_MATCHED_H

#include "wrap_p2p.h"

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
		op_blocking(c, op);
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

/* The receive failed. Did it leave the message to another one? */
static inline void matched_failed(const struct matched *m, MPI_Message after)
{
	if (m->message == (uintptr_t)after)
		op_keep_matched(m);
	else
		comm_drop(m->comm);
}

#endif
