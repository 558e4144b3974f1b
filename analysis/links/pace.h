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

enum { PACE_SAMPLES = 16, PACE_CELLS = LIVE_BINS / 4, PACE_ONE_Q8 = 256 };

/* Messages by what they waited for in their call. Only those of one class are compared. */
enum pace_class {
	PACE_WAITED, /* for the other side, which then let it begin */
	PACE_READY,  /* for nothing: it could have moved before the call */
	PACE_CLASSES
};

/* Messages of lengths from about one power of two to the next; the last cell is open. */
struct pace_cell {
	uint32_t n;                      /* samples so far */
	uint16_t ratio_q8[PACE_SAMPLES]; /* took / calibrated of the latest, in 1/256 */
	uint16_t scale_q8;               /* of calibrated times, in 1/256; 0: too few samples */
};

/* Of one link: sends and receives, [0] alone in their calls or [1] with others. Zero-initialise. */
struct pace {
	struct pace_cell cell[PACE_CLASSES][2][2][PACE_CELLS];
};

/* Do these two ops have one pace, apart from their kind? */
bool pace_alike(const struct op *a, const struct op *b);

/*
 * An op like this one took `took_ns`, and `calibrated_ns` by the calibration; or so did a call of
 * several. Short times are ignored: entry and return of a call dominate them.
 */
void pace_add(struct pace *p, const struct op *op, enum pace_class which, int64_t took_ns,
	int64_t calibrated_ns);

/* The pace of an op like this one: its time over the calibrated time, in 1/256. */
uint16_t pace_q8(
	const struct pace *p, const struct op *op, enum pace_class which, int64_t calibrated_ns);

/* A calibrated time at the op's pace [ns]. */
static inline int64_t op_at_pace(const struct op *op, int64_t ns)
{
	return op->pace_q8 ? ns * op->pace_q8 / PACE_ONE_Q8 : ns;
}

#endif
