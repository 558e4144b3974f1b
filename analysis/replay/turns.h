/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns.h: which lane of a replay goes on next.
 *
 * A lane whose call asks what another rank does until a certain time is put off. It asks one lane
 * of that rank, and goes on when that lane is known beyond the time. If no lane can go on, the
 * earliest one that was put off does.
 */
#ifndef TRYST_REPLAY_TURNS_H
#define TRYST_REPLAY_TURNS_H

#include "analysis/base/heap.h"
#include "analysis/replay/graph.h"

struct turns {
	struct replay_lane **ready; /* lanes that can go on, in any order */
	struct replay_lane **fresh; /* lanes put off, or once put off, that are not in the heap */
	uint32_t nready, nfresh;
	struct heap put_off; /* by the time at which they would leave; some have left since */
};

/* Begins with no lane that can go on. 0 or -ENOMEM. */
int turns_begin(struct turns *t, struct replay_graph *g);
void turns_release(struct turns *t);

/* Is it known whether the lane is inside MPI at `now`? */
bool turns_knows(const struct replay_lane *lane, int64_t now);

/* The lane can go on. */
void turns_ready(struct turns *t, struct replay_lane *lane);

/*
 * The lane stands in a call that it leaves at `at` or later, depending on others. asked: it goes on
 * when this lane is known at `at`; NULL: in its turn by time.
 */
void turns_put_off(
	struct turns *t, struct replay_lane *lane, int64_t at, struct replay_lane *asked);

/* More is known of the lane: those that ask for it may go on. */
void turns_answer(struct turns *t, struct replay_lane *lane);

/*
 * *lane: the next one; NULL: none is left. *by_time: it was put off, and no other lane can do
 * anything before lane->stays. 0 or -ENOMEM.
 */
int turns_next(struct turns *t, struct replay_lane **lane, bool *by_time);

#endif
