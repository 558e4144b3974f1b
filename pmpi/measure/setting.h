/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.h: the setting behind S. */
#ifndef TRYST_SETTING_H
#define TRYST_SETTING_H

#include "pmpi/measure/measure.h"

/*
 * Adds, where exactly one setting of the library agrees with the S among the n rows of a tier, a
 * row "S_setting": its value [B], and its name as the reason. Reads control variables (MPI_T).
 */
void measure_setting(struct measure *m, int tier, struct rec_link *rows, size_t max, size_t *n);

#endif
