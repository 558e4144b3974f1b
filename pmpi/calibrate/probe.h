/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h: S and S_p of each send form and layout. */
#ifndef TRYST_CALIBRATE_PROBE_H
#define TRYST_CALIBRATE_PROBE_H

#include "pmpi/calibrate/samples.h"
#include "pmpi/measure/pair.h"

/*
 * The leader: thresholds of a form and layout, with their samples. S is 0 if every length waits,
 * and `reach` for a ready form, which always has its receive. 0 or -EIO.
 */
int full_thresholds(struct pair *p, unsigned form, unsigned layout, uint64_t reach, uint64_t *S,
	uint64_t *S_p, struct full_samples *out);

#endif
