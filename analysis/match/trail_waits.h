/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trail_waits.h: all waits of a run, by lane and time, and when the two of each were last in step.
 *
 *	trail_waits_add() --> held, some million --> sorted by end --> strips, in a file
 *	   (as they become known)                        |
 *	                                        in_step, places to cut
 *
 * Waits become known nearly in order of time. When the memory for them is full its older half is sorted
 * and written. One that becomes known after later ones of its lane were written is left out: that takes
 * a completion call of which an op found no partner until the end.
 */
#ifndef TRYST_MATCH_TRAIL_WAITS_H
#define TRYST_MATCH_TRAIL_WAITS_H

#include <stdint.h>

#include "analysis/match/strips.h"

enum { TRAIL_WAITS_HELD = 1 << 20 };

/* `lane` stood from `from` until `until`, when `late` came. */
struct trail_wait {
	int64_t from, until;
	int64_t in_step;	/* when both were last in step; filled in here */
	double cost;		/* of this wait, and of those that it caused; blame.c */
	uint32_t lane, late;
	uint32_t callsite;	/* of the call that blocked */
	uint32_t post, code;	/* of an op: callsite of its post, and what it is in exact_cell (origins.h); else 0 */
	uint32_t all;		/* != 0: number of a collective after which all members are in step */
};

struct trail_waits {
	struct strips strips;		/* of struct trail_wait */
	struct trail_wait *held;
	uint32_t nheld, room, limit;
	struct waits_lane *lane;
	uint32_t nlanes;
	struct waits_pair *pair;
	uint64_t pair_mask, npairs;
	struct waits_cut *cut;		/* rising */
	uint32_t ncuts, cuts_room;
	uint64_t written;
	int64_t latest;			/* end of those written */
	uint64_t left_out;
	int64_t left_out_ns;
	int error;			/* errno of the first failure, negative */
};

/* held: waits in memory at once; 0: TRAIL_WAITS_HELD. The rest as strips_init(). */
int trail_waits_init(struct trail_waits *w, uint32_t held, uint64_t memory, uint32_t lanes,
	const char *near);
void trail_waits_release(struct trail_waits *w);

/* Before the lane's first wait, and the first wait for it: its time begins at `zero_ns`. */
void trail_waits_lane(struct trail_waits *w, uint32_t lane, int64_t zero_ns);

void trail_waits_add(struct trail_waits *w, const struct trail_wait *wait);

/* All waits have come. */
void trail_waits_end(struct trail_waits *w);

/*
 * A time near the middle of the waits that no later one's history reaches back beyond: what ends
 * until then and what ends later have no part in each other's blame. INT64_MIN: there is none.
 */
int64_t trail_waits_middle(const struct trail_waits *w);

/* The lane's last wait that ends before `ns`; NULL: there is none, or view->error. */
const struct trail_wait *trail_waits_before(struct strips_view *view, uint32_t lane, int64_t ns);

#endif
