/* SPDX-License-Identifier: BSD-3-Clause */
/* pair.h: all that a pair measures. */
#ifndef TRYST_CALIBRATE_PAIR_H
#define TRYST_CALIBRATE_PAIR_H

#include "pmpi/calibrate/options.h"
#include "pmpi/calibrate/samples.h"
#include "pmpi/measure/pair.h"

/*
 * The leader measures a pair until all medians are precise or the deadline of the pair has come.
 * `label` (NULL: quiet) begins its progress line on a terminal. S: a guess [B], which saves the
 * time of a search; 0: none. 0 or -EIO.
 */
int full_pair(struct pair *p, const struct full_options *o, const char *label, uint64_t S,
	struct full_samples *out);

#endif
