/* SPDX-License-Identifier: BSD-3-Clause */
/* analyzed.h: what both sides of the messages tell, where nobody has put it together yet. */
#ifndef TRYST_DATASET_ANALYZED_H
#define TRYST_DATASET_ANALYZED_H

#include "analysis/dataset/dataset.h"

/*
 * Does what `tryst analyze` does to a run's directory, unless it was done since its ranks were
 * merged. Where it cannot be done, that is said and the dataset stays as it was: one-sided.
 */
void analyze_dataset(const struct dataset *data, const struct say *say);

#endif
