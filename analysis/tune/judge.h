/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.h: how much a setting changed the time of runs that were made in turn. */
#ifndef TRYST_TUNE_JUDGE_H
#define TRYST_TUNE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

/* The mean difference, and an interval of 99 % for it [s]. */
struct judged {
	double mean, low, high;
};

/*
 * Judges rounds of one unchanged and one changed run [s] each. Both runs of a round share its
 * disturbances. The interval is of 99 %, because it is judged again after each round. n < 3: its
 * ends are infinite.
 */
struct judged judge(const double *unchanged, const double *changed, size_t n);

/* Is the sign of the difference known, or is the difference within 1 % of `whole` [s]? */
bool judge_is_known(const struct judged *j, double whole);

#endif
