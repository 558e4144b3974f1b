/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * live_follow.h: predictions follow a program that is faster than its calibration.
 *
 * A calibration sends all lengths in turn and computes between them. A program that repeats its
 * messages finds its buffers and the library's in caches: up to four times as fast, so that a wait of
 * the difference would not be seen. A standard send that took less than predicted cannot have waited:
 * where the median of a length's latest sends is well below what was predicted, or no longer is, all
 * times of that length are scaled. Never above the calibrated ones: longer sends may have waited.
 */
#ifndef TRYST_LIVE_FOLLOW_H
#define TRYST_LIVE_FOLLOW_H

#include "live.h"

enum { FOLLOW_SAMPLES = 8, FOLLOW_CELLS = LIVE_BINS / 4 };

/* Lengths from one power of two to the next. */
struct live_follow_cell {
	uint16_t ratio_q8[FOLLOW_SAMPLES];	/* took / predicted of the latest sends, in 1/256 */
	uint16_t scale_q8;			/* of the calibrated times now; 0: as calibrated */
	uint16_t lowest_q8;			/* so far; 0: always as calibrated */
	uint32_t n;				/* samples since the scale was looked at */
	uint64_t since;				/* ticks: what was predicted before has another scale */
};

/* One tier. Zero-initialise. */
struct live_follow {
	struct live_link calibrated;
	struct live_follow_cell cell[FOLLOW_CELLS];
};

/*
 * A standard send alone in its call, begun at `enter` [ticks], has returned; its times are > 0 ns.
 * Short predictions are ignored: the clock decides there.
 */
void live_follow_add(struct live_follow *f, uint64_t enter, uint64_t bytes, int64_t took_ns,
	int64_t predicted_ns);

/*
 * Scales the times of `link` (its calibrated state is f->calibrated) as the sends since the last call
 * tell; now: ticks. Other threads may predict from `link` meanwhile: they find old or new numbers.
 */
void live_follow_apply(struct live_follow *f, uint64_t now, struct live_link *link);

/* Rows "scale" of the lengths that were scaled: value now, ci_low the lowest so far. At most FOLLOW_CELLS. */
size_t live_follow_rows(const struct live_follow *f, int tier, struct rec_link *rows);

#endif
