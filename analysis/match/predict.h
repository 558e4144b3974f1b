/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict.h: what the ops of a call take if nobody waits, known from both sides' records.
 *
 * A live prediction counts from the own post on, since a rank does not see when the other side let
 * the message begin. Within a node, ops are predicted again from that time on, at the run's pace
 * (links/pace.h): those that move at one time together, and the next ones behind them. All other
 * calls keep the sum of their live predictions; the ops released last get what they take alone.
 */
#ifndef TRYST_MATCH_PREDICT_H
#define TRYST_MATCH_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/state.h"

enum {
	CALL_OPS_FEW = 64, /* calls over more ops keep their live predictions */
	SAME_NS = 1000     /* if two ops of a call were released within this time, the same event
			      released both */
};

/*
 * An op or collective of a call: the time at which it could continue, and the time that it then
 * takes behind those before it.
 */
struct completion {
	struct op *op; /* or */
	struct coll_kept *coll;
	/* the order of completion: `from`, but without a partner the end */
	int64_t goes_at;
	int64_t from;
	int64_t ns;
	int64_t released; /* when the other side let it begin, possibly before the call */
	/* start and length of the lateness of its peer, or its members */
	int64_t since, late;
};

/*
 * Predicts the n > 0 ops of a call again, which are ordered by goes_at: `ns` and op->predicted. The
 * call is that of `g`, but its ops' time begins at `start`. False: not at the run's pace.
 */
bool predict_call(
	struct match *m, const struct op_group *g, int64_t start, struct completion *c, uint32_t n);

/* The same for an op alone in its call, in which it blocked from `from` to `to`. */
void predict_alone(struct match *m, struct op *op, int64_t from, int64_t to);

#endif
