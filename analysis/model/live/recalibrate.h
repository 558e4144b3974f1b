/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recalibrate.h: predictions follow a program and a machine that differ from their calibration.
 *
 * A calibration sends all lengths in turn and computes between them. A program that repeats its
 * messages finds its buffers and the library's in caches: up to four times as fast, so that a wait
 * of the difference would not be seen. And memory that others use meanwhile makes long messages
 * slower for seconds. What took less than predicted cannot have waited, and of what took longer
 * most did not where the fast third of a length's latest calls says so: all times of that length
 * are scaled. Above the calibrated ones only those of long messages, and only by half the noise
 * that the calibration saw: an excess of the noise would be no wait anyway. Whose fast third takes
 * longer than that waits.
 *
 * A receive whose long message was announced before it was posted cannot have waited for it to be
 * sent: its time is the transfer's. From such receives comes how long messages of their length
 * really take now, and how much that varies: the noise is that, where it is more than the
 * calibration saw. Only a sender that left MPI behind an announcement may have delayed them, so
 * that these times, too, are believed up to a bound.
 */
#ifndef TRYST_MODEL_LIVE_RECALIBRATE_H
#define TRYST_MODEL_LIVE_RECALIBRATE_H

#include <stdbool.h>

#include "analysis/model/live/live.h"

enum { FOLLOW_SAMPLES = 16, FOLLOW_CELLS = LIVE_BINS / 4 };

/*
 * Messages alone in their call, and calls over several messages, whose time is mostly the further
 * ones'.
 */
enum follow_what { FOLLOW_ALONE, FOLLOW_SEVERAL, FOLLOW_KINDS };

/* Lengths from one power of two to the next. */
struct recalibration_cell {
	uint16_t ratio_q8[FOLLOW_SAMPLES]; /* took / predicted of the latest calls, in 1/256 */
	uint16_t scale_q8;                 /* of the calibrated times now; 0: as calibrated */
	uint16_t lowest_q8;                /* so far; 0: always as calibrated */
	uint32_t n;                        /* samples since the scale was looked at */
	/* ticks: what was predicted before has another scale */
	uint64_t since;
};

enum { ANNOUNCED_SAMPLES = 64, ANNOUNCED_STEP = 8 };

/* Announced receives of these lengths. */
struct recalibration_announced {
	uint16_t ratio_q8[ANNOUNCED_SAMPLES]; /* took / calibrated of the latest, in 1/256 */
	uint16_t scale_q8;                    /* their median; 0: too few yet */
	uint16_t noise_q8;                    /* their 99th percentile beyond it */
	uint32_t n, looked;                   /* samples, and those that these rest on */
	bool lately;                          /* some since the scale of others was looked at */
};

/* One tier. Zero-initialise. */
struct recalibration {
	struct live_link calibrated;
	struct recalibration_cell cell[FOLLOW_KINDS][FOLLOW_CELLS];
	struct recalibration_announced announced[FOLLOW_CELLS];
};

/* The cell of a message's length. */
static inline unsigned live_follow_cell(uint64_t bytes)
{
	return live_bin_of(bytes) / 4;
}

/*
 * A standard send or a long receive alone in its call, begun at `enter` [ticks], has returned, or a
 * call over several such messages of one cell, of which `bytes` is any, less the first one's
 * predicted time. Short predictions are ignored: the clock decides there.
 */
void recalibrate_add(struct recalibration *f, enum follow_what what, uint64_t enter, uint64_t bytes,
	int64_t took_ns, int64_t predicted_ns);

/*
 * A blocking receive took so long whose message had been announced when it was posted. Shorter ones
 * than long messages are ignored, and eager ones, which lay here whole: that takes less than a
 * message does. Returns whether recalibrate_apply() may have something to say.
 */
bool recalibrate_add_announced(
	struct recalibration *f, uint16_t flags, uint64_t bytes, int64_t took_ns);

/*
 * Scales the times of `link` (its calibrated state is f->calibrated) as the calls since the last
 * call tell; now: ticks. Other threads may predict from `link` meanwhile: they find old or new
 * numbers. Returns whether any changed.
 */
bool recalibrate_apply(struct recalibration *f, uint64_t now, struct live_link *link);

/*
 * Rows "scale" (alone) and "scale_next" of the lengths that were scaled: value now, ci_low the
 * lowest so far; and "noise_seen" [ns] of those whose noise is more than calibrated. At most
 * FOLLOW_ROWS.
 */
enum { FOLLOW_ROWS = (FOLLOW_KINDS + 1) * FOLLOW_CELLS };
size_t recalibrate_rows(const struct recalibration *f, int tier, struct rec_link *rows);

#endif
