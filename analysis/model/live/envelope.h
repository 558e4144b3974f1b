/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * envelope.h: estimates of an unmeasured link from a run's own messages, and the drift of a
 * measured one.
 *
 * Only the fastest calls of a length, the lower envelope, certainly did not wait. Blocking sends,
 * or posts of nonblocking ones if there are too few of those, give o and O by length. Receives, or
 * waits for receives, only give T3, for messages that had already arrived. L and G would need pairs
 * that certainly entered together, which one side cannot know, so they stay NULL.
 */
#ifndef TRYST_MODEL_LIVE_ENVELOPE_H
#define TRYST_MODEL_LIVE_ENVELOPE_H

#include "analysis/model/live/live.h"

enum { LEARN_WINDOW = 64, LEARN_ROWS_MAX = 2 * LIVE_OCTAVES + 8 };

/* The shortest calls of one kind and bit length of bytes. Times are ns. */
struct live_envelope {
	uint32_t count;       /* calls seen; does not overflow */
	int32_t floor_ns;     /* of all of them */
	uint64_t floor_bytes; /* ... and the length of that message */
	int32_t window_ns;    /* shortest in the current window of LEARN_WINDOW calls */
	int32_t first_ns;     /* shortest in the first whole window, 0: none yet */
	int32_t last_ns;      /* and in the latest one */
	int32_t first_off_ns; /* shortest difference between call and predicted time, in the first
				 window */
	int32_t last_off_ns;
	int32_t window_off_ns;
};

enum envelope_from { LEARN_SEND, LEARN_RECV, LEARN_SEND_POST, LEARN_CELLS };

/* Zero-initialise. 5 KiB a tier, whatever the run does. */
struct envelope {
	struct live_envelope cell[LEARN_CELLS][LIVE_OCTAVES];
};

/*
 * A call of standard mode to or from a rank of this tier has returned: a blocking call, the wait
 * for a receive, or the post of a send. It is not the pair's first message. took_ns >= 0;
 * predicted_ns: 0 if there is no prediction.
 */
void envelope_add(struct envelope *l, enum envelope_from from, uint64_t bytes, int64_t took_ns,
	int64_t predicted_ns);

/* The number of calls seen, of all kinds. */
uint64_t envelope_count(const struct envelope *l);

/*
 * The learned parameters as *n rows (source "learned"), at most LEARN_ROWS_MAX. 0, or -ENOENT if
 * there were too few sends of two bit lengths, or too few receives.
 */
int envelope_rows(const struct envelope *l, int tier, struct rec_link *rows, size_t *n);

/*
 * The drift as rows "drift" (ns, by form and length, source "learned"): the smallest difference
 * between call and predicted time in the latest window; ci_low: in the first one. Cells with fewer
 * than two windows are left out. Returns the number of rows, at most LEARN_ROWS_MAX.
 */
size_t envelope_drift(const struct envelope *l, int tier, struct rec_link *rows);

#endif
