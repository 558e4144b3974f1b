/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trail.h: what each thread did: its calls in order of time, and what it waited for.
 *
 *	calls   a record each in strips of one thread (strips.h):
 *
 *	        | call | computation | call | call |   computation   | call |
 *	                 what is between two calls is computation; those of messages,
 *	                 collectives, windows and files are known one by one
 *
 *	waits   trail_waits.h
 *
 * Threads are `lanes`, as rank_lane() numbers them. Times are common time [ns].
 */
#ifndef TRYST_MATCH_TRAIL_H
#define TRYST_MATCH_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/ranks.h"
#include "analysis/match/strips.h"
#include "analysis/match/trail_waits.h"

struct trail_call {
	int64_t enter, leave;
	uint32_t callsite;	/* as its rank numbers them */
	uint32_t pad;
};

/* A stretch of one thread's time. */
struct trail_piece {
	int64_t from, to;
	bool computes;
	uint32_t callsite;	/* of the call; computation: of the call after it, 0: none */
	uint32_t after;		/* computation: of the call before it, 0: none */
};

struct trail {
	struct trail_lane *lane;
	uint32_t nlanes;
	struct strips calls;		/* of struct trail_call */
	struct trail_waits waits;
	int error;			/* errno of the first failure, negative */
};

/*
 * waits: held in memory at once, 0: as many as is good. `near`: path of a file; the temporary ones
 * are made beside it, or in TMPDIR. 0 or -errno.
 */
int trail_init(struct trail *t, uint32_t nranks, uint32_t waits, const char *near);
void trail_release(struct trail *t);

/* A call of that thread; calls come by post, the completing ones ahead of their time. */
void trail_call(struct trail *t, const struct run_rank *rank, uint32_t lane, int64_t enter,
	int64_t leave, uint32_t callsite);

/* All calls of the lane that enter before `ns` have come. */
void trail_passed(struct trail *t, const struct run_rank *rank, uint32_t lane, int64_t ns);

/* All calls and waits have come. */
void trail_end(struct trail *t);

/* Whose the lane is. */
const struct run_rank *trail_rank(const struct trail *t, uint32_t lane);

/* When the lane's last call ended; INT64_MIN: it has none. */
int64_t trail_last_leave(const struct trail *t, uint32_t lane);

/* Goes back through [from, to] of one lane; one walk of a lane and view at a time. */
struct trail_walk {
	struct strips_view *calls;
	uint32_t lane;
	uint32_t later;		/* callsite of the call after `at` */
	int64_t from, at;	/* what is left to tell: [from, at] */
	const struct trail_call *record;	/* of block `block` */
	uint32_t block, next;	/* records below `next` are still to come */
};

void trail_walk_begin(struct strips_view *calls, struct trail_walk *w, uint32_t lane,
	int64_t from, int64_t to);

/* The next piece backwards; false: `from` was reached. Pieces fill [from, to] without a gap. */
bool trail_walk_next(struct trail_walk *w, struct trail_piece *piece);

#endif
