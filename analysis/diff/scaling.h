/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scaling.h: runs of one program with different numbers of ranks.
 *
 *	diff_open(), diff_take() of each run --scaling_study()--> scaling_sections
 *
 * T(P): run time with P ranks; P0: the fewest ranks. Strong scaling has the same work in all runs:
 *
 *	efficiency = T(P0) P0 / (T(P) P)		weak, the same work a rank: T(P0) / T(P)
 *
 * The mean time of a rank in a place has an efficiency, too. Time beyond the ideal time is lost.
 * Runs with equally many ranks are averaged.
 */
#ifndef TRYST_DIFF_SCALING_H
#define TRYST_DIFF_SCALING_H

#include "analysis/report/report.h"

extern const struct section scaling_sections[];

/* After the diff_take() of all runs. 0; -EDOM: all have the same number of ranks; -errno. */
int scaling_study(sqlite3 *diff, bool weak);

#endif
