/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c: judges pairs of run times statistically (judge.h). */
#include "analysis/tune/judge.h"

#include <math.h>

/*
 * Student's t at 99.5 %, by degrees of freedom from 1 on. Beyond 20: that of 20, slightly too
 * large.
 */
static double quantile(size_t freedom)
{
	static const double t[] = { 63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250,
		3.169, 3.106, 3.055, 3.012, 2.977, 2.947, 2.921, 2.898, 2.878, 2.861, 2.845 };

	return freedom <= sizeof(t) / sizeof(t[0]) ? t[freedom - 1] : 2.845;
}

struct judged judge(const double *unchanged, const double *changed, size_t n)
{
	double sum = 0, squares = 0, off;
	struct judged j = { NAN, -INFINITY, INFINITY };

	for (size_t i = 0; i < n; i++)
		sum += changed[i] - unchanged[i];
	if (n)
		j.mean = sum / (double)n;
	if (n < 3)
		return j;
	for (size_t i = 0; i < n; i++)
		squares += pow(changed[i] - unchanged[i] - j.mean, 2);
	off = quantile(n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
	j.low = j.mean - off;
	j.high = j.mean + off;
	return j;
}

bool judge_is_known(const struct judged *j, double whole)
{
	return j->low > 0 || j->high < 0 || (j->low > -0.01 * whole && j->high < 0.01 * whole);
}
