/* SPDX-License-Identifier: BSD-3-Clause */
/* robust.c: see robust.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/robust.h"

static int ascending(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

void robust_sort(double *value, size_t n)
{
	qsort(value, n, sizeof(*value), ascending);
}

double robust_quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;

	if (n == 0)
		return NAN;
	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

double robust_median(double *value, size_t n)
{
	robust_sort(value, n);
	return robust_quantile(value, n, 0.5);
}

void robust_median_interval(const double *sorted, size_t n, double *low, double *high)
{
	/* ranks of a binomial(n, 1/2) at +-1.96 standard deviations */
	double half = 0.98 * sqrt((double)n);
	double from = floor((double)n / 2 - half), to = ceil((double)n / 2 + half);

	if (n == 0) {
		*low = *high = NAN;
		return;
	}
	*low = sorted[from < 0 ? 0 : (size_t)from];
	*high = sorted[to > (double)(n - 1) ? n - 1 : (size_t)to];
}

double robust_weighted_median(double *value, double *weight, size_t n)
{
	double all = 0, below = 0;

	for (size_t i = 1; i < n; i++) /* insertion: n is a few dozen */
		for (size_t j = i; j > 0 && value[j] < value[j - 1]; j--) {
			double v = value[j], w = weight[j];

			value[j] = value[j - 1];
			weight[j] = weight[j - 1];
			value[j - 1] = v;
			weight[j - 1] = w;
		}
	for (size_t i = 0; i < n; i++)
		all += weight[i];
	for (size_t i = 0; i < n; i++) {
		below += weight[i];
		if (below >= all / 2)
			return value[i];
	}
	return NAN;
}

static double line_error(const double *x, const double *y, size_t n, double a, double b)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fabs(y[i] - a - b * x[i]) / y[i];
	return sum / (double)n;
}

/* Least absolute errors have an optimum through two of the points: try all pairs. */
static void best_pair(const double *x, const double *y, size_t n, double *a, double *b)
{
	size_t step = n > 64 ? (n + 63) / 64 : 1;
	double best = INFINITY;

	*a = *b = NAN;
	for (size_t i = 0; i < n; i += step) {
		for (size_t j = i + step; j < n; j += step) {
			double bb, aa, error;

			if (x[i] == x[j])
				continue;
			bb = (y[j] - y[i]) / (x[j] - x[i]);
			aa = y[i] - bb * x[i];
			error = line_error(x, y, n, aa, bb);
			if (error < best) {
				best = error;
				*a = aa;
				*b = bb;
			}
		}
	}
}

/* The slope for a fixed intercept: a weighted median of (y - a) / x. */
static double best_slope(const double *x, const double *y, size_t n, double a)
{
	double *ratio = malloc(2 * (n + 1) * sizeof(*ratio)), *weight = ratio + n, b;
	size_t m = 0;

	if (!ratio)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		if (x[i] <= 0)
			continue;
		ratio[m] = (y[i] - a) / x[i];
		weight[m++] = x[i] / y[i];
	}
	b = robust_weighted_median(ratio, weight, m);
	free(ratio);
	return b;
}

/*
 * Computes half widths of 95 % intervals. The errors of a least absolute fit are those of least
 * squares, with the density of the residuals at 0 in place of their variance. For near-normal
 * residuals they are 1.25 times as large.
 */
static void line_intervals(
	struct robust_line *l, const double *x, const double *y, size_t n, int fixed)
{
	double sw = 0, sx = 0, sxx = 0, sigma, det;

	l->a_half = l->b_half = NAN;
	if (n < 4)
		return;
	for (size_t i = 0; i < n; i++) {
		double w = 1 / (y[i] * y[i]);

		sw += w;
		sx += w * x[i];
		sxx += w * x[i] * x[i];
	}
	sigma = 1.25 * 1.25 * l->error * sqrt((double)n / ((double)n - 2)); /* mean |r| to s.d. */
	if (fixed) {
		l->a_half = 0;
		l->b_half = sxx > 0 ? 1.96 * sigma / sqrt(sxx) : NAN;
		return;
	}
	det = sw * sxx - sx * sx;
	if (det > 0) {
		l->a_half = 1.96 * sigma * sqrt(sxx / det);
		l->b_half = 1.96 * sigma * sqrt(sw / det);
	}
}

struct robust_line robust_line_fit(const double *x, const double *y, size_t n, double fixed_a)
{
	struct robust_line l = { NAN, NAN, NAN, NAN, NAN };

	if (isnan(fixed_a)) {
		best_pair(x, y, n, &l.a, &l.b);
	} else {
		l.a = fixed_a;
		l.b = best_slope(x, y, n, fixed_a);
	}
	if (isnan(l.b)) {
		l.a = NAN;
		return l;
	}
	l.error = line_error(x, y, n, l.a, l.b);
	line_intervals(&l, x, y, n, !isnan(fixed_a));
	return l;
}

enum { TERMS_MAX = ROBUST_KNOTS_MAX + 2 };

/* Solves a[n][n] c = r by elimination with pivoting; a and r are used up. 0, or -1 if singular. */
static int solve(double a[TERMS_MAX][TERMS_MAX], double *r, size_t n, double *c)
{
	for (size_t k = 0; k < n; k++) {
		size_t best = k;

		for (size_t i = k + 1; i < n; i++)
			best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
		if (!(fabs(a[best][k]) > 1e-300))
			return -1;
		for (size_t j = 0; j < n; j++) {
			double v = a[k][j];

			a[k][j] = a[best][j];
			a[best][j] = v;
		}
		c[0] = r[k];
		r[k] = r[best];
		r[best] = c[0];
		for (size_t i = k + 1; i < n; i++) {
			double q = a[i][k] / a[k][k];

			for (size_t j = k; j < n; j++)
				a[i][j] -= q * a[k][j];
			r[i] -= q * r[k];
		}
	}
	for (size_t k = n; k-- > 0;) {
		c[k] = r[k];
		for (size_t j = k + 1; j < n; j++)
			c[k] -= a[k][j] * c[j];
		c[k] /= a[k][k];
	}
	return 0;
}

/* The terms of a bent line at x, in units of `scale` so that sums stay well conditioned. */
static void bent_terms(double x, const double *knot, size_t nknots, double scale, double *term)
{
	term[0] = 1;
	term[1] = x / scale;
	for (size_t i = 0; i < nknots; i++)
		term[2 + i] = x > knot[i] ? (x - knot[i]) / scale : 0;
}

/* One step of reweighting: absolute errors are squares divided by the last step's errors. */
static double bent_step(const double *x, const double *y, size_t n, const double *knot,
	size_t nknots, double scale, double *c, int first)
{
	double a[TERMS_MAX][TERMS_MAX] = { { 0 } }, r[TERMS_MAX] = { 0 }, term[TERMS_MAX];
	size_t m = nknots + 2;
	double error = 0;

	for (size_t i = 0; i < n; i++) {
		double w = 1 / (y[i] * y[i]), fit = 0;

		bent_terms(x[i], knot, nknots, scale, term);
		for (size_t j = 0; j < m; j++)
			fit += c[j] * term[j];
		if (!first)
			w /= fmax(fabs(y[i] - fit) / y[i], 1e-4);
		error += fabs(y[i] - fit) / y[i] / (double)n;
		for (size_t j = 0; j < m; j++) {
			r[j] += w * term[j] * y[i];
			for (size_t k = 0; k < m; k++)
				a[j][k] += w * term[j] * term[k];
		}
	}
	return solve(a, r, m, c) < 0 ? NAN : error;
}

double robust_bent_fit(
	const double *x, const double *y, size_t n, const double *knot, size_t nknots, double *c)
{
	double scale = n ? fmax(x[n - 1], 1) : 1, error = NAN;

	if (n < nknots + 2 || nknots > ROBUST_KNOTS_MAX)
		return NAN;
	for (size_t i = 0; i < nknots + 2; i++)
		c[i] = 0;
	for (int step = 0; step < 40; step++) {
		error = bent_step(x, y, n, knot, nknots, scale, c, step == 0);
		if (isnan(error))
			return NAN;
	}
	for (size_t i = 1; i < nknots + 2; i++)
		c[i] /= scale;
	return error;
}

/* Weighted sums of a run of points, from which its least squares error follows. */
struct moments {
	double w, x, y, xx, xy, yy;
};

/* Relative squared error of points [i, j) about their best line. */
static double run_error(const struct moments *m, size_t i, size_t j)
{
	double w = m[j].w - m[i].w, x = m[j].x - m[i].x, y = m[j].y - m[i].y;
	double xx = m[j].xx - m[i].xx, xy = m[j].xy - m[i].xy, yy = m[j].yy - m[i].yy;
	double cxx = xx - x * x / w, cxy = xy - x * y / w, cyy = yy - y * y / w;
	double e = cxx > 1e-12 * xx ? cyy - cxy * cxy / cxx : cyy;

	return e > 0 ? e : 0;
}

/*
 * cost[k * (n + 1) + j]: least error of points [0, j) in k + 1 runs; from[]: where the last begins
 */
static void segment_table(const struct moments *m, size_t n, size_t max_parts, size_t min_points,
	double *cost, size_t *from)
{
	for (size_t k = 0; k < max_parts; k++) {
		for (size_t j = 0; j <= n; j++) {
			double *c = &cost[k * (n + 1) + j];

			*c = k == 0 && j >= min_points ? run_error(m, 0, j) : INFINITY;
			from[k * (n + 1) + j] = 0;
			for (size_t i = min_points; k > 0 && i + min_points <= j; i++) {
				double e = cost[(k - 1) * (n + 1) + i] + run_error(m, i, j);

				if (e < *c) {
					*c = e;
					from[k * (n + 1) + j] = i;
				}
			}
		}
	}
}

size_t robust_segments(const double *x, const double *y, size_t n, size_t max_parts,
	size_t min_points, double noise, double price, size_t *first)
{
	struct moments *m = calloc(n + 1, sizeof(*m));
	double *cost = malloc(max_parts * (n + 1) * sizeof(*cost));
	size_t *from = malloc(max_parts * (n + 1) * sizeof(*from));
	double least = INFINITY;
	size_t parts = 0;

	if (!m || !cost || !from || n == 0)
		goto out;
	for (size_t i = 0; i < n; i++) {
		double w = 1 / (y[i] * y[i]);

		m[i + 1] = (struct moments){ m[i].w + w, m[i].x + w * x[i], m[i].y + w * y[i],
			m[i].xx + w * x[i] * x[i], m[i].xy + w * x[i] * y[i],
			m[i].yy + w * y[i] * y[i] };
	}
	segment_table(m, n, max_parts, min_points, cost, from);
	parts = 1;
	for (size_t k = 0; k < max_parts; k++) {
		double floor2 = fmax(noise, 1e-6) * fmax(noise, 1e-6);
		double mean = cost[k * (n + 1) + n] / (double)n + floor2;
		double all = (double)n * log(mean) + price * (double)k * log((double)n + 1);

		if (isfinite(mean) && all < least - 1e-9) {
			least = all;
			parts = k + 1;
		}
	}
	for (size_t k = parts, j = n; k-- > 0;)
		j = first[k] = from[k * (n + 1) + j];
	first[0] = 0;
out:
	free(m);
	free(cost);
	free(from);
	return parts;
}

enum { DIM_MAX = 8 };

struct simplex {
	double (*f)(const double *x, void *arg);
	void *arg;
	size_t n;
	double at[DIM_MAX + 1][DIM_MAX];
	double value[DIM_MAX + 1];
};

/* The point beyond the centre of all but the worst, at `t` times the worst's distance from it. */
static double simplex_try(const struct simplex *s, size_t worst, double t, double *x)
{
	for (size_t d = 0; d < s->n; d++) {
		double centre = 0;

		for (size_t i = 0; i <= s->n; i++)
			if (i != worst)
				centre += s->at[i][d] / (double)s->n;
		x[d] = centre + t * (s->at[worst][d] - centre);
	}
	return s->f(x, s->arg);
}

static void simplex_set(struct simplex *s, size_t i, const double *x, double value)
{
	memcpy(s->at[i], x, s->n * sizeof(*x));
	s->value[i] = value;
}

static void simplex_shrink(struct simplex *s, size_t best)
{
	for (size_t i = 0; i <= s->n; i++) {
		for (size_t d = 0; d < s->n; d++)
			s->at[i][d] = (s->at[i][d] + s->at[best][d]) / 2;
		s->value[i] = s->f(s->at[i], s->arg);
	}
}

static void simplex_step(struct simplex *s)
{
	size_t best = 0, worst = 0, second = 0;
	double x[DIM_MAX], further[DIM_MAX], v, w;

	for (size_t i = 1; i <= s->n; i++) {
		best = s->value[i] < s->value[best] ? i : best;
		worst = s->value[i] > s->value[worst] ? i : worst;
	}
	second = best;
	for (size_t i = 0; i <= s->n; i++)
		if (i != worst && s->value[i] > s->value[second])
			second = i;
	v = simplex_try(s, worst, -1, x);
	if (v < s->value[best]) {
		w = simplex_try(s, worst, -2, further);
		simplex_set(s, worst, w < v ? further : x, w < v ? w : v);
	} else if (v < s->value[second]) {
		simplex_set(s, worst, x, v);
	} else {
		w = simplex_try(s, worst, v < s->value[worst] ? -0.5 : 0.5, further);
		if (w < fmin(v, s->value[worst]))
			simplex_set(s, worst, further, w);
		else
			simplex_shrink(s, best);
	}
}

double robust_minimize(double (*f)(const double *x, void *arg), void *arg, double *x,
	const double *step, size_t n, int iterations)
{
	struct simplex s = { .f = f, .arg = arg, .n = n };
	size_t best = 0;

	for (size_t i = 0; i <= n; i++) {
		double p[DIM_MAX];

		memcpy(p, x, n * sizeof(*p));
		if (i > 0)
			p[i - 1] += step[i - 1];
		simplex_set(&s, i, p, f(p, arg));
	}
	while (iterations-- > 0)
		simplex_step(&s);
	for (size_t i = 1; i <= n; i++)
		best = s.value[i] < s.value[best] ? i : best;
	memcpy(x, s.at[best], n * sizeof(*x));
	return s.value[best];
}
