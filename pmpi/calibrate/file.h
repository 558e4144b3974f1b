/* SPDX-License-Identifier: BSD-3-Clause */
/* file.h: from all ranks' samples to the file. */
#ifndef TRYST_CALIBRATE_FILE_H
#define TRYST_CALIBRATE_FILE_H

#include "pmpi/calibrate/fits.h"
#include "pmpi/calibrate/options.h"
#include "pmpi/calibrate/samples.h"

/*
 * Do the rows of the quick part have what predictions need of a tier? Runs take these rows
 * (--links), whatever the fits have. `say`: what is missing is told on stderr.
 */
bool full_links_suffice(const struct rec_link *links, size_t nlinks, unsigned tier, bool say);

/*
 * Rank 0: fits all models to each pair, writes the file. 0 or a negative errno, said on stderr;
 * -EAGAIN where a pair or what predictions need could not be measured: what there is is then
 * written beside it, as FILE.incomplete. A complete file removes that of an earlier attempt.
 */
int full_write(const struct full_options *o, const struct rec_link *links, size_t nlinks,
	const struct full_pair_name *pairs, size_t npairs, const char (*host)[64], int nranks,
	struct full_samples *samples);

#endif
