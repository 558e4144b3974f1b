/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * robust.h: quantiles and lines that a few wild values do not move.
 *
 * An operating system makes 1 to 5 % of all samples 10 to 1000 times too long. So samples of one
 * size are reduced to quantiles first, and lines through sizes minimise the sum of absolute
 * *relative* errors: a 4 MiB message weighs as much as an 8 byte one, and one bad size in ten
 * does not bend the line.
 */
#ifndef TRYST_ROBUST_H
#define TRYST_ROBUST_H

#include <stddef.h>

/* Sorts ascending. */
void robust_sort(double *value, size_t n);

/* Quantile q in [0, 1] of n > 0 ascending values, linear between ranks; NAN for n = 0. */
double robust_quantile(const double *sorted, size_t n, double q);

/* Median; the values are sorted in place. NAN for n = 0. */
double robust_median(double *value, size_t n);

/* 95 % interval of the median of ascending values, from order statistics; their ends if n < 6. */
void robust_median_interval(const double *sorted, size_t n, double *low, double *high);

/*
 * Where the weighted sum of absolute differences is least. Both arrays are reordered. NAN: n = 0.
 */
double robust_weighted_median(double *value, double *weight, size_t n);

struct robust_line {
	double a, b;           /* y = a + b x; NAN where there were too few different x */
	double a_half, b_half; /* half of the 95 % interval; NAN: two points say nothing on it */
	double error;          /* mean of |y - a - b x| / y */
};

/*
 * The line through n points (y > 0) that minimises the sum of |y - a - b x| / y. Exact for up to
 * 64 points, else it starts from 64 of them and is refined. `fixed_a` gives the intercept, NAN
 * leaves it free.
 */
struct robust_line robust_line_fit(const double *x, const double *y, size_t n, double fixed_a);

enum { ROBUST_KNOTS_MAX = 12 };

/*
 * A continuous line that may bend at `knots` (ascending, at most ROBUST_KNOTS_MAX):
 * y = c[0] + c[1] x + sum of c[2 + i] max(x - knot[i], 0), c[nknots + 2] minimising the sum of
 * absolute relative errors. Returns the mean relative error, NAN where the points do not determine
 * the coefficients.
 */
double robust_bent_fit(
	const double *x, const double *y, size_t n, const double *knot, size_t nknots, double *c);

#define ROBUST_BAYES 3.0 /* a run's line has two parameters, and its border is one */

/*
 * Splits n points (x ascending, y > 0) into at most `max_parts` runs of at least `min_points`, each
 * well described by a line. Each further run has to pay for itself: in a Bayesian criterion it
 * costs `price` parameters. Below the relative error `noise`, at least 1e-6, nothing counts as
 * structure. Writes the first index of each run to first[0..max_parts) (first[0] = 0). Returns the
 * number of runs, or 0 if n is 0 or memory ran out.
 */
size_t robust_segments(const double *x, const double *y, size_t n, size_t max_parts,
	size_t min_points, double noise, double price, size_t *first);

/*
 * Nelder and Mead's simplex search: minimises f over x[n], n <= 8, from x with the given steps;
 * x gets the best place. Returns f there.
 */
double robust_minimize(double (*f)(const double *x, void *arg), void *arg, double *x,
	const double *step, size_t n, int iterations);

#endif
