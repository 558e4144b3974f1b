/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.h: all waits of a run, by lane and time, and when the two lanes of each were last in step.
 *
 *	history_waits_add() --> held, some million --> sorted by end --> logs, in a file
 *	   (as they become known)                        |
 *	                                        in_step, places to cut
 *
 * Waits become known nearly in order of time. When their memory is full, the older half is sorted
 * and written. A wait that becomes known after later ones of its lane were written is left out.
 * This only happens in a completion call with an op that found no partner until the end.
 */
#ifndef TRYST_BLAME_WAITS_H
#define TRYST_BLAME_WAITS_H

#include <stdint.h>

#include "analysis/blame/log.h"

enum { HISTORY_WAITS_HELD = 1 << 20 };

/* `lane` waited from `from` until `until`, when `late` came. */
struct history_wait {
	int64_t from, until;
	int64_t in_step; /* when both lanes were last in step (blame.h); set by waits.c */
	double cost;     /* of this wait and of those that it caused; set by blame.c */
	uint32_t lane, late;
	uint32_t callsite; /* of the call that blocked */
	/* of an op: callsite of its post, and its code in exact_cell (origins.h); else 0 */
	uint32_t post, code;
	/* != 0: number of a collective after which all members are in step */
	uint32_t all;
};

struct history_waits {
	struct lane_logs logs; /* of struct history_wait */
	struct history_wait *held;
	uint32_t nheld, room, limit;
	struct waits_lane *lane;
	uint32_t nlanes;
	struct waits_pair *pair;
	uint64_t pair_mask, npairs;
	struct waits_cut *cut; /* rising */
	uint32_t ncuts, cuts_room;
	uint64_t written;
	int64_t latest; /* latest end of the written ones */
	uint64_t left_out;
	int64_t left_out_ns;
	int error; /* errno of the first failure, negative */
};

/* held: waits in memory at once; 0: HISTORY_WAITS_HELD. Other arguments as lane_logs_init(). */
int history_waits_init(
	struct history_waits *w, uint32_t held, uint64_t memory, uint32_t lanes, const char *near);
void history_waits_release(struct history_waits *w);

/* Call it before the lane's first wait, and the first wait for it. Its time begins at `zero_ns`. */
void history_waits_lane(struct history_waits *w, uint32_t lane, int64_t zero_ns);

/* Copies a wait. A failure goes to w->error; a wait that comes too late is counted in left_out. */
void history_waits_add(struct history_waits *w, const struct history_wait *wait);

/* Call it after the last wait: writes those in memory. */
void history_waits_end(struct history_waits *w);

/*
 * A time near the middle of the waits beyond which no later wait's history reaches back. Waits that
 * end before and after it do not influence each other's blame. INT64_MIN: there is none.
 */
int64_t history_waits_middle(const struct history_waits *w);

/* The lane's last wait that ends before `ns`; NULL: there is none, or view->error. */
const struct history_wait *history_waits_before(
	struct lane_logs_view *view, uint32_t lane, int64_t ns);

#endif
