/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h: thresholds of one send form, found by being late on purpose. */
#ifndef TRYST_PROBE_H
#define TRYST_PROBE_H

#include "pmpi/measure/pair.h"

/* Lengths up to which a send completes...; PROBE_NONE: up to PAIR_BYTES_MAX, as far as was seen. */
#define PROBE_NONE UINT64_MAX

struct thresholds {
	uint64_t S;         /* ...without the matching receive */
	uint64_t S_p;       /* ...without the receiver's progress; <= S */
	bool none_local;    /* not even an empty message does: S_p is 0 */
	const char *reason; /* why S and S_p mean nothing; NULL where they were found */
};

/*
 * The leader: find both for a send form that may block (enum live_curve, not synchronous or
 * buffered). reach: no longer messages than this are sent. guess: those of another form, tried
 * first; NULL: none. Returns 0 or -EIO.
 */
int probe_thresholds(struct pair *p, unsigned form, uint64_t reach, const struct thresholds *guess,
	struct thresholds *out);

#endif
