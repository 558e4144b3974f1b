/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.h: the arithmetic of one op's parts: how long its peer was late, and what else kept it. */
#ifndef TRYST_MATCH_WAITS_H
#define TRYST_MATCH_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/state.h"

/* The send has got its receive: was it done without? */
void wait_learn(struct match *m, const struct op *send);

/*
 * When the peer let the op go: the earliest common time at which the op could complete, were its
 * own side there. INT64_MIN: it depends on nobody. At most `limit`.
 */
int64_t wait_released(struct match *m, const struct op *op, int64_t limit);

/* Why the op could complete in a call at `released` (see there) and not when it was entered. */
enum op_cause wait_kept_by(struct match *m, const struct op *op, int64_t enter, int64_t released);

/*
 * For how long the op's peer was late, of [from, to], the time in which the op blocked that no
 * other was late for: the beginning of it. Fills parts.late and late_until.
 */
int64_t wait_late(struct match *m, struct op *op, int64_t from, int64_t to);

/*
 * Fills the rest of op->parts, waited and unhidden for an op that, besides, blocked in [from, to];
 * parts.order is still in parts.late.
 */
void wait_parts(struct match *m, struct op *op, int64_t from, int64_t to);

/* Can what is left of the op's excess be due to other messages between the nodes? */
bool wait_may_contend(const struct match *m, const struct op *op);

/* Fills parts.contention from parts.other, once all that was sent while the op lasted has come. */
void wait_contention(struct match *m, struct op *op);

#endif
