/* SPDX-License-Identifier: BSD-3-Clause */
/* group.h: bursts, concurrent transfers and broadcasts, which take more than two ranks. */
#ifndef TRYST_CALIBRATE_GROUP_H
#define TRYST_CALIBRATE_GROUP_H

#include "pmpi/calibrate/options.h"
#include "pmpi/calibrate/samples.h"
#include "pmpi/measure/measure.h"

/*
 * All ranks: bursts 1:P-P:1, then flows that share nodes and broadcasts if there are enough hosts.
 * Bursts take at most a fifth of a pair's budget, the others half of it. 0, -ENOMEM, -EIO.
 */
int full_group(struct measure *m, const struct full_options *o, const uint64_t *host_of,
	struct full_samples *out);

#endif
