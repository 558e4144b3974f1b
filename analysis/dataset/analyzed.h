/* SPDX-License-Identifier: BSD-3-Clause */
/* analyzed.h: runs the analysis of a directory that has none yet. */
#ifndef TRYST_DATASET_ANALYZED_H
#define TRYST_DATASET_ANALYZED_H

#include "analysis/dataset/dataset.h"

/*
 * Does what `tryst analyze` does to a run's directory, unless it was done since its ranks were
 * merged. If it fails, it prints a line, and the dataset has the results of one side only.
 */
void analyze_dataset(const struct dataset *data, const struct say *say);

#endif
