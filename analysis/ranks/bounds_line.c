/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounds_line.c: a straight line between bounds.
 *
 * For a given slope b the range follows directly: x - b * at is at most U(b), the least of the
 * upper bounds moved along the slope, and at least L(b). U is concave in b and L is convex. So
 * halving or thirding an interval of slopes finds all that is needed here.
 */
#include "analysis/ranks/bounds.h"

#include <math.h>

enum { STEPS = 100 };

struct problem {
	const struct bound *bound;
	uint32_t n;
	double at; /* the time at which bounds are compared */
};

static double least_upper(const struct problem *p, double slope)
{
	double least = INFINITY;

	for (uint32_t i = 0; i < p->n; i++)
		if (p->bound[i].upper)
			least = fmin(least,
				(double)p->bound[i].ns - slope * ((double)p->bound[i].at - p->at));
	return least;
}

static double greatest_lower(const struct problem *p, double slope)
{
	double greatest = -INFINITY;

	for (uint32_t i = 0; i < p->n; i++)
		if (!p->bound[i].upper)
			greatest = fmax(greatest,
				(double)p->bound[i].ns - slope * ((double)p->bound[i].at - p->at));
	return greatest;
}

static double gap(const struct problem *p, double slope)
{
	return least_upper(p, slope) - greatest_lower(p, slope);
}

static double negative_lower(const struct problem *p, double slope)
{
	return -greatest_lower(p, slope);
}

/* The slope at which a concave function is greatest. */
static double climb(const struct problem *p, double (*f)(const struct problem *, double),
	double low, double high)
{
	for (int i = 0; i < STEPS; i++) {
		double a = low + (high - low) / 3, b = high - (high - low) / 3;

		if (f(p, a) < f(p, b))
			low = a;
		else
			high = b;
	}
	return (low + high) / 2;
}

/* The last slope with an open gap, going from `from`, where it is open, towards `to`. */
static double open_until(const struct problem *p, double from, double to)
{
	if (gap(p, to) >= 0)
		return to;
	for (int i = 0; i < STEPS; i++) {
		double middle = (from + to) / 2;

		if (gap(p, middle) >= 0)
			from = middle;
		else
			to = middle;
	}
	return from;
}

bool bound_span(const struct bound *bound, uint32_t n, double slope_max, int64_t at, int64_t *ns,
	int64_t *error_ns)
{
	struct problem p = { bound, n, (double)at }; /* so U and L are values at `at` */
	double slope, low, high, up, down;

	if (!isfinite(least_upper(&p, 0)) || !isfinite(greatest_lower(&p, 0)))
		return false;
	slope = climb(&p, gap, -slope_max, slope_max);
	up = least_upper(&p, slope);
	down = greatest_lower(&p, slope);
	if (up >= down) {
		low = open_until(&p, slope, -slope_max);
		high = open_until(&p, slope, slope_max);
		up = least_upper(&p, climb(&p, least_upper, low, high));
		down = greatest_lower(&p, climb(&p, negative_lower, low, high));
	}
	*ns = (int64_t)floor((up + down) / 2);
	/* bounds are broken by half the gap, and may themselves be wrong by as much */
	*error_ns = (int64_t)ceil(up >= down ? (up - down) / 2 : down - up) + 1;
	return true;
}
