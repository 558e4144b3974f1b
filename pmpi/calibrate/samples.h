/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h: the samples that one rank has measured. */
#ifndef TRYST_CALIBRATE_SAMPLES_H
#define TRYST_CALIBRATE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/model/sample.h"

/* Zero-initialise; free `s`. */
struct full_samples {
	struct sample *s;
	size_t n, room;
	bool lost; /* memory ran out */
};

/* Adds n samples like `like`, with the times ns[] in this order; the caller fills in from and to.
 */
void full_add(struct full_samples *out, const struct sample *like, const double *ns, size_t n);

#endif
