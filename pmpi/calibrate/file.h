/* SPDX-License-Identifier: BSD-3-Clause */
/* file.h: from all ranks' samples to the file. */
#ifndef TRYST_CALIBRATE_FILE_H
#define TRYST_CALIBRATE_FILE_H

#include "pmpi/calibrate/fits.h"
#include "pmpi/calibrate/options.h"
#include "pmpi/calibrate/samples.h"

/*
 * True if the rows of the quick calibration have all values that predictions of a tier need. Runs
 * use only these rows (--links), not the fits. `say`: print on stderr what is missing.
 */
bool full_links_suffice(const struct rec_link *links, size_t nlinks, unsigned tier, bool say);

/*
 * Adds the flow cuts of MM to the rows of the network, *n of at most `max`, if flows were measured.
 * 0 or -ENOMEM.
 */
int full_add_cuts(
	const struct full_samples *samples, struct rec_link *links, size_t *n, size_t max);

/* S of a tier [B] in the rows of the quick calibration; NAN if it is unknown. */
double full_tier_S(const struct rec_link *links, size_t nlinks, unsigned tier);

/*
 * Rank 0: fits all models to each pair, and writes the file. Returns 0 or a negative errno, after
 * printing the error. -EAGAIN: a pair, or a value that predictions need, could not be measured; the
 * rest is then in FILE.incomplete. A complete file removes FILE.incomplete.
 */
int full_write(const struct full_options *o, const struct rec_link *links, size_t nlinks,
	const struct full_pair_name *pairs, size_t npairs, const char (*host)[64], int nranks,
	struct full_samples *samples);

#endif
