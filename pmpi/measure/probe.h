/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h: thresholds of one send form, found with receivers that are late on purpose. */
#ifndef TRYST_PROBE_H
#define TRYST_PROBE_H

#include "pmpi/measure/pair.h"

/* Lengths up to which a send completes ...; PROBE_NONE: all lengths up to PAIR_BYTES_MAX. */
#define PROBE_NONE UINT64_MAX

struct thresholds {
	uint64_t S;         /* ...without the matching receive */
	uint64_t S_p;       /* ...without the receiver's progress; <= S */
	bool none_local;    /* not even an empty message completes without progress: S_p is 0 */
	const char *reason; /* why S and S_p are unknown; NULL if they were found */
};

/*
 * The leader: finds both for a send form that may block (enum live_curve, not synchronous or
 * buffered). reach: the longest message to send. guess: thresholds of another form, which are tried
 * first; NULL: none. Returns 0 or -EIO.
 */
int probe_thresholds(struct pair *p, unsigned form, uint64_t reach, const struct thresholds *guess,
	struct thresholds *out);

#endif
