/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history.h: the history of each thread: its calls in order of time, and its waits.
 *
 *	calls   a record each in logs of one thread (log.h):
 *
 *	        | call | computation | call | call | comp. | other | comp. | call |
 *	                 calls of messages, collectives, windows and files are known one by
 *	                 one; the time between two is computation, less the time of
 *	                 unrecorded.h
 *
 *	waits   waits.h
 *
 * Threads are `lanes`, as rank_lane() numbers them. Times are common time [ns].
 */
#ifndef TRYST_BLAME_HISTORY_H
#define TRYST_BLAME_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/ranks/ranks.h"
#include "analysis/blame/log.h"
#include "analysis/blame/waits.h"

struct history_call {
	int64_t enter, leave;
	uint32_t callsite;  /* as its rank numbers them */
	uint32_t polled_us; /* time of polling for the call's op */
};

/* As in tables blame_cell and critical_path_cell. */
enum history_what {
	HISTORY_CALL, /* with the polling that ended with it */
	HISTORY_COMPUTATION,
	HISTORY_OTHER,        /* calls without rows */
	HISTORY_NOT_RECORDED, /* calls or computation: rows of the time were not kept */
	HISTORY_START         /* MPI_Init, or the time before it */
};

/*
 * Time inside MPI without a struct history_call: a stretch of such calls with computation between
 * them. Or time without any records.
 */
struct history_other {
	int64_t enter, leave;
	int64_t inside_ns; /* the part inside the calls */
	uint32_t what;     /* enum history_what, not computation */
	uint32_t after;    /* callsite of the call before it, 0: none */
};

/* A time without a CPU: outside calls, or inside a call while the thread was not waiting. */
struct history_off {
	int64_t enter, leave;
	uint32_t what; /* enum off_cpu (record.h) */
};

/* A stretch of one thread's time. */
struct history_piece {
	int64_t from, to;
	enum history_what what;
	uint32_t callsite; /* of the call; else of the call after it, 0: none */
	uint32_t after;    /* unless a call: callsite of the call before it, 0: none */
	/* ready without a CPU, in computation or a call with a row; asleep, in computation */
	int64_t no_cpu_ns, blocked_ns;
};

struct history {
	struct history_lane *lane;
	uint32_t nlanes;
	struct lane_logs calls; /* of struct history_call */
	/* of struct history_other; filled by unrecorded_find() */
	struct lane_logs others;
	struct lane_logs off; /* of struct history_off; filled by unrecorded_find() */
	struct history_waits waits;
	int error; /* errno of the first failure, negative */
};

/*
 * waits: number held in memory at once, 0: the default. `near`: path of a file; the temporary files
 * are made beside it, or in TMPDIR. Returns 0 or a negative errno.
 */
int history_init(struct history *t, uint32_t nranks, uint32_t waits, const char *near);
void history_release(struct history *t);

/* Adds a call of that thread. Calls come by post; completing calls come before their time. */
void history_call(struct history *t, const struct run_rank *rank, uint32_t lane,
	const struct history_call *call);

/* All calls of the lane that enter before `ns` have come. */
void history_passed(struct history *t, const struct run_rank *rank, uint32_t lane, int64_t ns);

/* All calls and waits have come. */
void history_end(struct history *t);

/* The rank and thread of the lane. */
const struct run_rank *history_rank(const struct history *t, uint32_t lane);

/* The end of the lane's last call; INT64_MIN: it has none. */
int64_t history_last_leave(const struct history *t, uint32_t lane);

/* A reader's memory for its walks. */
struct history_view {
	struct lane_logs_view calls, others, off;
};

/* Call it after history_end(). 0 or -ENOMEM. */
int history_view(const struct history *t, struct history_view *out);
void history_view_release(struct history_view *v);

/* 0, or a negative errno because of which a walk may have ended too early. */
int history_view_error(const struct history_view *v);

/* Walks backwards through [from, to] of a lane; one walk for each lane and view at a time. */
struct history_walk {
	struct history_view *view;
	uint32_t lane;
	uint32_t later;   /* callsite of the call after `at` */
	int64_t from, at; /* still to be given: [from, at] */
	/* the calls of the stretch at `at` were given, its computation was not */
	bool told;
	struct history_place {
		const void *record;   /* records of block `block` */
		uint32_t block, next; /* records below `next` are still to come */
	} calls, others, off;
};

/* Begins a walk from `to` back to `from` [common ns]. `view` has to outlive the walk. */
void history_walk_begin(
	struct history_view *view, struct history_walk *w, uint32_t lane, int64_t from, int64_t to);

/* The next piece backwards; false: `from` was reached. Pieces fill [from, to] without a gap. */
bool history_walk_next(struct history_walk *w, struct history_piece *piece);

#endif
