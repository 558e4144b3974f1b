/* SPDX-License-Identifier: BSD-3-Clause */
/* fits.h: the models' parameters of each pair, from its samples. */
#ifndef TRYST_CALIBRATE_FITS_H
#define TRYST_CALIBRATE_FITS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/format/links/calibration.h"
#include "analysis/model/robust.h"

/* A pair that was measured: its ranks, and its enum link_tier. */
struct full_pair_name {
	int32_t from, to;
	uint32_t tier;
};

/*
 * Fits all models to each pair's samples, with residuals, and each send form's own overheads, S and
 * S_p. c has the samples, and gets fits and residuals. host[nranks]: the name of each rank's host.
 * Returns 0 or a negative errno.
 */
int full_fit(struct calibration *c, const struct full_pair_name *pairs, size_t npairs,
	const char (*host)[64], int nranks);

/* A line through n points. A slope that noise pushed just below 0 becomes 0. */
struct robust_line full_overhead_line(const double *x, const double *y, size_t n);

/* One more zeroed element of `size` bytes at the end of *array; NULL if memory runs out. */
void *full_one_more(void **array, size_t *n, size_t size);

#endif
