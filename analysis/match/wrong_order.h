/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrong_order.h: messages received in the wrong order.
 *
 * As Scalasca: a receive waited for its sender while another message lay there that was sent
 * earlier and that the same thread received later. Ours is finer: only the time since that message
 * was sent counts, what was before stays late sender. Later means among the thread's next receives,
 * WRONG_ORDER_NEXT of them, and before it asks for the like of the message again: what nobody asks
 * for, or only the next phase or iteration of the program, could not have been taken instead.
 *
 * Taken first, the other message would have ended no wait: this one was sent when it was, and
 * nothing that the receiver did meanwhile had a part in that. What is lost is what could have been
 * done with the other message while waiting, at most, and the wait of its sender, if that needs the
 * receive. Where both are of one sender, it is the sender's order that makes this one late. So who
 * sent the other one is kept, too.
 *
 * Nor is there an order in which nonblocking receives take messages: they are
 * posted at once, and may be completed in any.
 *
 * So a receive that waited while there was anything else is kept until its thread has posted these.
 */
#ifndef TRYST_MATCH_WRONG_ORDER_H
#define TRYST_MATCH_WRONG_ORDER_H

#include <stdbool.h>

#include "analysis/match/state.h"

enum { WRONG_ORDER_NEXT = 16 };

/*
 * The op's parts are known but for parts.order, which is in parts.late. True: it is kept, until one
 * of the next two returns it.
 */
bool wrong_order_keep(struct match *m, struct op *op);

/*
 * A receive was posted, for a message that lay there; NULL: for none that was sent. Returns the
 * kept receives whose order is known by that, linked by `next`.
 */
struct op *wrong_order_posted(struct match *m, const struct op *recv, const struct op *message);

/* All receives were posted: returns what is still kept, linked by `next`. */
struct op *wrong_order_end(struct match *m);

#endif
