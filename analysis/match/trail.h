/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trail.h: what each thread did: its calls in order of time, and what it waited for.
 *
 *	calls   a record each in strips of one thread (strips.h):
 *
 *	        | call | computation | call | call | comp. | other | comp. | call |
 *	                 calls of messages, collectives, windows and files are known one by
 *	                 one; what is between two is computation, less what others.h finds
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
	uint32_t polled_us;	/* for how long the call's op had been polled for */
};

/* As tables blame_cell and critical_path_cell have it. */
enum trail_what {
	TRAIL_CALL,		/* also the polling that ended with it */
	TRAIL_COMPUTATION,
	TRAIL_OTHER,		/* calls that are not known one by one */
	TRAIL_NOT_RECORDED,	/* calls or computation: rows of the time were not kept */
	TRAIL_START		/* MPI_Init, or what was before it */
};

/*
 * Time inside MPI that no struct trail_call has: a stretch of such calls, with computation between them. Or time of
 * which nobody knows.
 */
struct trail_other {
	int64_t enter, leave;
	int64_t inside_ns;	/* of it, in the calls */
	uint32_t what;		/* enum trail_what, no computation */
	uint32_t after;		/* callsite of the call before it, 0: none */
};

/* A stretch of one thread's time. */
struct trail_piece {
	int64_t from, to;
	enum trail_what what;
	uint32_t callsite;	/* of the call; else of the call after it, 0: none */
	uint32_t after;		/* not of a call: of the call before it, 0: none */
};

struct trail {
	struct trail_lane *lane;
	uint32_t nlanes;
	struct strips calls;		/* of struct trail_call */
	struct strips others;		/* of struct trail_other; filled by others_find() */
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
void trail_call(struct trail *t, const struct run_rank *rank, uint32_t lane,
	const struct trail_call *call);

/* All calls of the lane that enter before `ns` have come. */
void trail_passed(struct trail *t, const struct run_rank *rank, uint32_t lane, int64_t ns);

/* All calls and waits have come. */
void trail_end(struct trail *t);

/* Whose the lane is. */
const struct run_rank *trail_rank(const struct trail *t, uint32_t lane);

/* When the lane's last call ended; INT64_MIN: it has none. */
int64_t trail_last_leave(const struct trail *t, uint32_t lane);

/* What a reader needs for its walks. */
struct trail_view {
	struct strips_view calls, others;
};

/* All calls and others have come. 0 or -ENOMEM. */
int trail_view(const struct trail *t, struct trail_view *out);
void trail_view_release(struct trail_view *v);

/* 0 or why a walk may have come to an end too early: a negative errno. */
int trail_view_error(const struct trail_view *v);

/* Goes back through [from, to] of one lane; one walk of a lane and view at a time. */
struct trail_walk {
	struct trail_view *view;
	uint32_t lane;
	uint32_t later;		/* callsite of the call after `at` */
	int64_t from, at;	/* what is left to tell: [from, at] */
	bool told;		/* of the stretch at `at` the calls were told, and its computation was not */
	struct trail_place {
		const void *record;	/* of block `block` */
		uint32_t block, next;	/* records below `next` are still to come */
	} calls, others;
};

void trail_walk_begin(struct trail_view *view, struct trail_walk *w, uint32_t lane, int64_t from,
	int64_t to);

/* The next piece backwards; false: `from` was reached. Pieces fill [from, to] without a gap. */
bool trail_walk_next(struct trail_walk *w, struct trail_piece *piece);

#endif
