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
 * Of rounds that each had one run unchanged and one changed [s]. Rounds have their disturbances in
 * common. 99 %, for it is asked again after each round. n < 3: the interval has no ends.
 */
struct judged judge(const double *unchanged, const double *changed, size_t n);

/* Is the sign of the difference known, or the difference below 1 % of `whole` [s]? */
bool judge_is_known(const struct judged *j, double whole);

#endif
