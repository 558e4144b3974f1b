/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pace.h: how fast the messages of this run moved within a node, compared with the calibration.
 *
 * A calibration sends the same memory again and again. A program's buffers may be in no cache, in
 * its own, or in another processor's, so its messages may take a quarter of the calibrated time, or
 * twice. The records of both sides show from when on neither waited for the other, which no rank
 * sees by itself:
 *
 *	call of this rank  |-- waits for the peer --|==== the message moves ====|
 *	peer               ...... outside MPI ......|======= inside MPI ========|
 *	                                         released                     leave
 *
 * leave - released is a sample of what the message takes. Predictions are multiplied by the median
 * of the latest samples, divided by what the calibration says. Between nodes predictions stay:
 * there, a slow message may share the network, which is a cause of waits.
 */
#ifndef TRYST_LINKS_PACE_H
#define TRYST_LINKS_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/model/live/live.h"
#include "analysis/ranks/op.h"

enum { PACE_SAMPLES = 16, PACE_CELLS = LIVE_BINS / 4 };

/*
 * Values of op->pace. Apart are sends and receives, ops alone in their calls and with others, and
 * those that waited for their peer in the call and those that did not, which may have moved before.
 */
enum { PACE_NONE, PACE_FIRST, PACES = PACE_FIRST + 8 };

/* Messages of lengths from one power of two to the next. */
struct pace_cell {
	uint32_t n;                      /* samples so far */
	uint16_t ratio_q8[PACE_SAMPLES]; /* took / calibrated of the latest, in 1/256 */
	uint16_t scale_q8;               /* of calibrated times, in 1/256; 0: too few samples */
};

/* Of one link, by the ops' `pace`. Zero-initialise. */
struct pace {
	struct pace_cell cell[PACES][PACE_CELLS];
};

/* Sets op->pace. */
void pace_set(struct op *op, bool waited);

/* Do these two ops have one scale, apart from their kind? */
bool pace_alike(const struct op *a, const struct op *b);

/* An op like this one, with op->pace, took `took_ns`, and `calibrated_ns` by the calibration. */
void pace_add(struct pace *p, const struct op *op, int64_t took_ns, int64_t calibrated_ns);

/* A calibrated time at this run's pace [ns]; unchanged if op->pace is PACE_NONE. */
int64_t pace_ns(const struct pace *p, const struct op *op, int64_t calibrated_ns);

#endif
