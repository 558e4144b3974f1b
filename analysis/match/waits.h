/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.h: computes the parts of one op's wait: its peer's lateness, and other causes. */
#ifndef TRYST_MATCH_WAITS_H
#define TRYST_MATCH_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/state.h"

/* Called once the send has its receive. Notes whether the send was done without the receive. */
void wait_learn(struct match *m, const struct op *send);

/*
 * The time at which the peer released the op: the earliest common time at which the op could
 * complete if its own side was ready. INT64_MIN: it depends on no peer. At most `limit`.
 */
int64_t wait_released(struct match *m, const struct op *op, int64_t limit);

/*
 * The same for a send by rendezvous whose message had not moved when its call was entered, and
 * moves no faster than predicted. INT64_MIN: it is none, or its message had moved.
 */
int64_t wait_released_inside(struct match *m, const struct op *op, int64_t limit);

/* True if the op may need its peer inside MPI after the peer's post. */
bool wait_needs_peer(const struct match *m, const struct op *op);

/* Why the op could complete in a call at `released` (see above), and not at the call's entry. */
enum op_cause wait_kept_by(struct match *m, const struct op *op, int64_t enter, int64_t released);

/*
 * The lateness of the op's peer within [from, to], the time in which the op blocked and no other
 * peer was late. Lateness is at its beginning. Fills parts.late and late_until.
 */
int64_t wait_late(struct match *m, struct op *op, int64_t from, int64_t to);

/*
 * Fills the rest of op->parts, waited and unhidden, for an op that also blocked in [from, to];
 * parts.late still includes parts.order.
 */
void wait_parts(struct match *m, struct op *op, int64_t from, int64_t to);

/* A part of an op's excess, and the cause that it stands for. */
struct cause_part {
	int64_t ns;
	enum op_cause cause;
};

enum {
	CAUSE_PARTS = 7,
	PARTS_OF_REST = 2 /* the last two, which are known only if the protocol is */
};

/* The parts of an op of this kind (KIND_SEND, KIND_RECV) by cause; they add up to its excess. */
void wait_causes(const struct op_parts *parts, int64_t kind, struct cause_part out[CAUSE_PARTS]);

/* The cause of the largest part and its length; CAUSE_NONE and 0 if none is above 0. */
enum op_cause wait_cause(const struct op_parts *parts, int64_t kind, int64_t *ns);

/* True if other messages between the nodes may explain the rest of the op's excess. */
bool wait_may_contend(const struct match *m, const struct op *op);

/* Fills parts.contention from parts.other, once all messages sent during the op have been read. */
void wait_contention(struct match *m, struct op *op);

#endif
