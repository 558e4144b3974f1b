/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * envelope.h: what a run's own messages tell of a link that was not measured, and whether one
 * that was still fits.
 *
 * Of calls only the lower envelope is known not to have waited: a blocking send's gives o and O by
 * length, or the post of a nonblocking one where there are too few of those; a receive's, or the
 * wait for one, only T3, the message that was there before. L and G would need pairs known to be in
 * step, which one side cannot know: they stay NULL.
 */
#ifndef TRYST_MODEL_LIVE_ENVELOPE_H
#define TRYST_MODEL_LIVE_ENVELOPE_H

#include "analysis/model/live/live.h"

enum { LEARN_WINDOW = 64, LEARN_ROWS_MAX = 2 * LIVE_OCTAVES + 8 };

/* The shortest calls of one kind and bit length of bytes. Times are ns. */
struct live_envelope {
	uint32_t count;       /* calls seen; stops at its end */
	int32_t floor_ns;     /* of all of them */
	uint64_t floor_bytes; /* ...and how long that message was */
	int32_t window_ns;    /* shortest in the window of LEARN_WINDOW calls under way */
	int32_t first_ns;     /* shortest in the first whole window, 0: none yet */
	int32_t last_ns;      /* and in the latest one */
	int32_t first_off_ns; /* the same of the call less its predicted time */
	int32_t last_off_ns;
	int32_t window_off_ns;
};

enum envelope_from { LEARN_SEND, LEARN_RECV, LEARN_SEND_POST, LEARN_CELLS };

/* Zero-initialise. 5 KiB a tier, whatever the run does. */
struct envelope {
	struct live_envelope cell[LEARN_CELLS][LIVE_OCTAVES];
};

/*
 * A call of standard mode to or from a rank of this tier has returned, not the first message of its
 * pair: a blocking one, the wait for a receive, or the post of a send. took_ns >= 0; predicted_ns:
 * 0 where nothing is predicted.
 */
void envelope_add(struct envelope *l, enum envelope_from from, uint64_t bytes, int64_t took_ns,
	int64_t predicted_ns);

/* Calls seen, of all kinds. */
uint64_t envelope_count(const struct envelope *l);

/*
 * Learned parameters as rows (source "learned"), at most LEARN_ROWS_MAX; *n of them. 0, or -ENOENT
 * where sends of fewer than two bit lengths, or no receives, were seen often enough.
 */
int envelope_rows(const struct envelope *l, int tier, struct rec_link *rows, size_t *n);

/*
 * Drift as rows "drift" (ns, by form and length, source "learned"): the shortest call less its
 * predicted time in the latest window, ci_low: in the first one. Cells of fewer than two windows
 * are left out. At most LEARN_ROWS_MAX rows; returns how many.
 */
size_t envelope_drift(const struct envelope *l, int tier, struct rec_link *rows);

#endif
