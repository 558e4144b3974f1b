/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrong_order.h: messages received in the wrong order.
 *
 * As in Scalasca: a receive waited for its sender. Meanwhile another message lay there, which the
 * same thread received later. tryst is finer: only the time since that message was sent counts; the
 * time before stays late sender. "Later" means among the thread's next WRONG_ORDER_NEXT receives,
 * and before the thread asks for the same envelope again. The thread could not have taken a message
 * that only the next phase or iteration receives.
 *
 * Receiving the other message first would not have shortened this wait, since the sender's time
 * does not depend on the receiver's order. At most two things are lost: the work that the other
 * message allowed during the wait, and the wait of its sender, if that send needs the receive. If
 * both messages have one sender, the sender's order made this one late. So the sender of the other
 * message is kept, too.
 *
 * Nonblocking receives have no order: they are posted together, and may complete in any order.
 *
 * A receive that waited while another message lay there is kept until its thread has posted its
 * next WRONG_ORDER_NEXT receives.
 */
#ifndef TRYST_MATCH_WRONG_ORDER_H
#define TRYST_MATCH_WRONG_ORDER_H

#include <stdbool.h>

#include "analysis/match/state.h"

enum { WRONG_ORDER_NEXT = 16 };

/*
 * The op's parts are known, except parts.order, which parts.late includes. True: the op is kept
 * until one of the next two functions returns it.
 */
bool wrong_order_keep(struct match *m, struct op *op);

/*
 * A receive was posted. message: its message if that had been sent, else NULL. Returns the kept
 * receives whose order is known now, linked by `next`.
 */
struct op *wrong_order_posted(struct match *m, const struct op *recv, const struct op *message);

/* All receives were posted: returns the ops still kept, linked by `next`. */
struct op *wrong_order_end(struct match *m);

#endif
