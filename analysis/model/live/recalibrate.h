/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recalibrate.h: predictions follow a program and a machine that differ from their calibration.
 *
 * A calibration sends all lengths in turn and computes between them. A program that repeats its
 * messages has its buffers and the library's in caches, and is up to four times as fast. A wait of
 * the difference would not be seen. On the other hand, memory traffic of others slows long messages
 * down for seconds. So all times of a length are scaled by the fast third of its latest calls,
 * which most probably did not wait. Times are scaled up only for long messages, and only by half
 * the calibration's noise, since an excess within the noise is no wait anyway. If the fast third
 * takes even longer, these calls wait.
 *
 * If a long message was announced before its receive was posted, the receive did not wait for the
 * send: its time is the transfer's. Such receives show the present time of messages of their
 * length, and its variation, which replaces the noise if it is larger. Only a sender that left MPI
 * after the announcement may have delayed them, so these times are trusted up to a bound.
 */
#ifndef TRYST_MODEL_LIVE_RECALIBRATE_H
#define TRYST_MODEL_LIVE_RECALIBRATE_H

#include <stdbool.h>

#include "analysis/model/live/live.h"

enum { FOLLOW_SAMPLES = 16, FOLLOW_CELLS = LIVE_BINS / 4 };

/*
 * Messages alone in their call; calls over several messages, in which the further ones take most of
 * the time.
 */
enum follow_what { FOLLOW_ALONE, FOLLOW_SEVERAL, FOLLOW_KINDS };

/* Lengths from one power of two to the next. */
struct recalibration_cell {
	uint16_t ratio_q8[FOLLOW_SAMPLES]; /* took / predicted of the latest calls, in 1/256 */
	uint16_t scale_q8;  /* present scale of the calibrated times; 0: as calibrated */
	uint16_t lowest_q8; /* lowest scale so far; 0: always as calibrated */
	uint32_t n;         /* samples since the scale was last computed */
	/* [ticks] time of the last change; earlier predictions have another scale */
	uint64_t since;
};

enum { ANNOUNCED_SAMPLES = 64, ANNOUNCED_STEP = 8 };

/* Announced receives of these lengths. */
struct recalibration_announced {
	uint16_t ratio_q8[ANNOUNCED_SAMPLES]; /* took / calibrated of the latest, in 1/256 */
	uint16_t scale_q8;                    /* their median; 0: too few yet */
	uint16_t noise_q8;                    /* their 99th percentile beyond it */
	uint32_t n, looked; /* number of samples, and of those used for the values above */
	bool lately;        /* there were some since the scale was last computed */
};

/* One tier. Zero-initialise. */
struct recalibration {
	struct live_link calibrated;
	struct recalibration_cell cell[FOLLOW_KINDS][FOLLOW_CELLS];
	struct recalibration_announced announced[FOLLOW_CELLS];
};

/* The cell of a message's length. */
static inline unsigned recalibration_cell_of(uint64_t bytes)
{
	return live_bin_of(bytes) / 4;
}

/*
 * Adds the time of a standard send or a long receive that was alone in its call. The call began at
 * `enter` [ticks]. Or adds the time of a call over several such messages of one cell, less the
 * predicted time of the first one; `bytes` is then the length of any of them. Short predictions are
 * ignored, since the clock's resolution dominates.
 */
void recalibrate_add(struct recalibration *f, enum follow_what what, uint64_t enter, uint64_t bytes,
	int64_t took_ns, int64_t predicted_ns);

/*
 * The time of a blocking receive whose message had been announced when it was posted. Messages that
 * are not long are ignored, and so are eager ones: they had already arrived, which takes less time.
 * Returns true if recalibrate_apply() should be called.
 */
bool recalibrate_add_announced(
	struct recalibration *f, uint16_t flags, uint64_t bytes, int64_t took_ns);

/*
 * Scales the times of `link` (its calibrated state is f->calibrated) by the samples since the last
 * call; now: ticks. Other threads may predict from `link` meanwhile: they see old or new numbers.
 * Returns true if any has changed.
 */
bool recalibrate_apply(struct recalibration *f, uint64_t now, struct live_link *link);

/*
 * Rows "scale" (alone in the call) and "scale_next" of scaled lengths: the present value, and the
 * lowest so far as ci_low. Rows "noise_seen" [ns] of lengths with more noise than calibrated. At
 * most FOLLOW_ROWS.
 */
enum { FOLLOW_ROWS = (FOLLOW_KINDS + 1) * FOLLOW_CELLS };
size_t recalibrate_rows(const struct recalibration *f, int tier, struct rec_link *rows);

#endif
