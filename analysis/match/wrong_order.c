/* SPDX-License-Identifier: BSD-3-Clause */
/* wrong_order.c: finds messages received in the wrong order (wrong_order.h). */
#include "analysis/match/wrong_order.h"

static struct op **kept_of(struct match *m, const struct op *op)
{
	return &m->kept_recvs[op->rank - m->ranks.at];
}

bool wrong_order_keep(struct match *m, struct op *op)
{
	struct op **kept = kept_of(m, op);

	if (op->kind != KIND_RECV || op->call != op->complete_call || !op->waited || !op->partner ||
		op->parts.late <= 0 || op->partner->oldest >= op->late_until)
		return false;
	op->earlier = INT64_MAX;
	op->earlier_of_sender = false;
	op->receives_left = WRONG_ORDER_NEXT;
	op->next = *kept;
	*kept = op;
	return true;
}

/* True if the receive asks for the same as op did: another iteration begins. */
static bool is_the_like(const struct op *op, const struct op *recv)
{
	return recv->peer == op->peer && recv->tag == op->tag && recv->comm == op->comm;
}

static void end_one(struct op *op)
{
	const int64_t from = op->late_until - op->parts.late;
	const int64_t since = op->earlier > from ? op->earlier : from;

	if (since < op->late_until) {
		op->parts.order = op->late_until - since;
		op->parts.late -= op->parts.order;
	}
}

struct op *wrong_order_posted(struct match *m, const struct op *recv, const struct op *message)
{
	struct op **link = kept_of(m, recv), *op, *known = NULL, **last = &known;

	while ((op = *link) != NULL) {
		if (op->lane == recv->lane && is_the_like(op, recv)) {
			op->receives_left = 0;
		} else if (op->lane == recv->lane) {
			if (message && message->post < op->partner->post &&
				message->post < op->earlier) {
				op->earlier = message->post;
				op->earlier_of_sender = message->rank == op->partner->rank;
			}
			op->receives_left--;
		}
		/* no other message was sent before the oldest */
		if (op->receives_left == 0 || op->earlier == op->partner->oldest) {
			*link = op->next;
			end_one(op);
			op->next = NULL;
			*last = op;
			last = &op->next;
		} else {
			link = &op->next;
		}
	}
	return known;
}

struct op *wrong_order_end(struct match *m)
{
	struct op *known = NULL, **last = &known;

	for (uint32_t i = 0; i < m->ranks.n; i++)
		while ((*last = m->kept_recvs[i]) != NULL) {
			m->kept_recvs[i] = (*last)->next;
			end_one(*last);
			last = &(*last)->next;
		}
	*last = NULL;
	return known;
}
