/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lop.c: LoP, the curve of which LogfP is the simple form.
 *
 * Source: LogfP, section 4. o(P) = o1 / (o2 + P), and for the round trip of 1:P-P:1
 *
 *	l1 / (l2 + P) + l3 + l4 (1 - e^(l5 (P - l6)))
 *
 * The source's curves are normalised to one host (its section 3), and so is this one: it saturates,
 * which no total can; a burst takes P times that (inferred). l4, l6 and l3 are not independent:
 * moving l6 by d is the same as multiplying l4 by e^(-l5 d) and adding the difference to l3. The
 * fit keeps l6 = 1 and says so. Like the source it searches with Nelder and Mead's simplex.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/models.h"
#include "analysis/model/robust.h"
#include "analysis/model/small.h"

enum { LOP_o1, LOP_o2, LOP_l1, LOP_l2, LOP_l3, LOP_l4, LOP_l5, LOP_l6 };

#define ANY -1e15, 1e15

static const struct model_param params[] = {
	[LOP_o1] = { "o1", "ns", 0, 1e15, 0, "overhead: pipeline start-up", SAMPLE_BURST_SEND },
	[LOP_o2] = { "o2", "", -0.999, 1e15, 0, "overhead: its decay", SAMPLE_BURST_SEND },
	[LOP_l1] = { "l1", "ns", ANY, 0, "round trip: pipeline start-up", SAMPLE_BURST },
	[LOP_l2] = { "l2", "", -0.999, 1e15, 0, "round trip: its decay", SAMPLE_BURST },
	[LOP_l3] = { "l3", "ns", ANY, 0, "round trip: processing", SAMPLE_BURST },
	[LOP_l4] = { "l4", "ns", ANY, 0, "round trip: height of saturation", SAMPLE_BURST },
	[LOP_l5] = { "l5", "", ANY, 0, "round trip: speed of saturation, below 0", SAMPLE_BURST },
	[LOP_l6] = { "l6", "", ANY, 0, "round trip: where saturation begins", SAMPLE_BURST },
};

static double pipeline(double a, double b, double P)
{
	return a / (b + P);
}

static double round_trip(const double *l, double P)
{
	return pipeline(l[0], l[1], P) + l[2] + l[3] * (1 - exp(l[4] * (P - l[5])));
}

static double predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	double P = q == MODEL_SEND || q == MODEL_ROUND_TRIP ? 1 : c->n, l[6];

	if (P < 1) {
		*why = "a burst has at least one host";
		return NAN;
	}
	if (q == MODEL_SEND || q == MODEL_BURST_SEND)
		return pipeline(model_get(p, LOP_o1), model_get(p, LOP_o2), P);
	for (int i = 0; i < 6; i++)
		l[i] = model_get(p, LOP_l1 + i);
	return P * round_trip(l, P);
}

/* What the search minimises: the mean relative error over points P[], y[]. */
struct search {
	const double *P, *y;
	size_t n;
};

static double overhead_error(const double *x, void *arg)
{
	const struct search *s = arg;
	double sum = 0;

	if (x[1] <= -s->P[0])
		return INFINITY;
	for (size_t i = 0; i < s->n; i++)
		sum += fabs(pipeline(x[0], x[1], s->P[i]) - s->y[i]) / s->y[i];
	return sum / (double)s->n;
}

static double round_trip_error(const double *x, void *arg)
{
	const struct search *s = arg;
	const double l[6] = { x[0], x[1], x[2], x[3], x[4], 1 };
	double sum = 0;

	if (x[1] <= -s->P[0] || x[4] > 0)
		return INFINITY;
	for (size_t i = 0; i < s->n; i++)
		sum += fabs(round_trip(l, s->P[i]) - s->y[i]) / s->y[i];
	return sum / (double)s->n;
}

/* Repeats the search from its last result, with steps in proportion, until the result stays. */
static double search(double (*f)(const double *, void *), struct search *s, double *x, size_t n)
{
	double best = INFINITY, step[8];

	for (int round = 0; round < 12; round++) {
		double now;

		for (size_t i = 0; i < n; i++)
			step[i] = (round % 2 ? -0.3 : 0.3) * (x[i] != 0 ? x[i] : 1);
		now = robust_minimize(f, s, x, step, n, 600);
		if (now > 0.999 * best)
			return now;
		best = now;
	}
	return best;
}

static int set_params(struct model_params *p, int first, const double *x, int n)
{
	int rc = 0;

	for (int i = 0; i < n && rc == 0; i++)
		rc = model_set(p, first + i, MODEL_NO_BYTES, x[i], NAN, NAN, NULL);
	return rc;
}

static int fit_overhead(struct model_params *p, struct search *s, struct model_findings *f)
{
	double x[2];

	if (s->n < 2)
		return model_find_add(f, FINDING_TOO_LITTLE, LOP_o1, SAMPLE_BURST_SEND, 0,
			UINT64_MAX, "sends of bursts to at least 2 numbers of hosts are needed");
	x[1] = 1;
	x[0] = s->y[0] * (s->P[0] + 1);
	search(overhead_error, s, x, 2);
	return set_params(p, LOP_o1, x, 2);
}

static int fit_round_trip(struct model_params *p, struct search *s, struct model_findings *f)
{
	double best[5] = { 0 }, error = INFINITY, lowest = INFINITY, end;
	int rc;

	if (s->n < 6)
		return model_find_add(f, FINDING_TOO_LITTLE, LOP_l1, SAMPLE_BURST, 0, UINT64_MAX,
			"bursts to at least 6 numbers of hosts are needed, not %zu", s->n);
	for (size_t i = 0; i < s->n; i++)
		lowest = fmin(lowest, s->y[i]);
	end = s->y[s->n - 1];
	for (int try = 0; try < 4; try++) {
		double l2 = try % 2 ? 2 : 0.2, l5 = (try / 2 ? -3 : -0.5) / s->P[s->n / 2], now;
		double x[5] = { (s->y[0] - lowest) * (1 + l2), l2, lowest,
			fmax(end - lowest, 0.1 * lowest), l5 };

		now = search(round_trip_error, s, x, 5);
		for (int i = 0; now < error && i < 5; i++)
			best[i] = x[i];
		error = fmin(error, now);
	}
	rc = model_find_add(f, FINDING_NOT_SEPARABLE, LOP_l6, SAMPLE_BURST, 0, UINT64_MAX,
		"l6 is 1 by choice: l3, l4 and l6 are known up to a shift");
	if (rc < 0 || (rc = set_params(p, LOP_l1, best, 5)) < 0)
		return rc;
	return model_set(p, LOP_l6, MODEL_NO_BYTES, 1, NAN, NAN, "by choice");
}

static int fit_points(
	struct model_params *p, const struct sample_point *pt, size_t np, struct model_findings *f)
{
	double *P = malloc(2 * np * sizeof(*P)), *y = P + np;
	struct search s = { P, y, 0 };
	int rc;

	if (!P)
		return -ENOMEM;
	s.n = small_bursts(pt, np, SAMPLE_BURST_SEND, P, y);
	rc = fit_overhead(p, &s, f);
	if (rc == 0) {
		s.n = small_bursts(pt, np, SAMPLE_BURST, P, y);
		for (size_t i = 0; i < s.n; i++)
			y[i] /= P[i];
		rc = fit_round_trip(p, &s, f);
	}
	free(P);
	return rc;
}

static int fit(struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	return small_fit_points(p, s, n, SAMPLE_BURST, f, fit_points);
}

const struct model model_lop = {
	.name = "LoP",
	.source = "LogfP, section 4",
	.summary = "bursts of small messages, a curve of six numbers",
	.param = params,
	.nparams = sizeof(params) / sizeof(*params),
	.quantities = 1u << MODEL_SEND | 1u << MODEL_ROUND_TRIP | 1u << MODEL_BURST |
		1u << MODEL_BURST_SEND,
	.predict = predict,
	.fit = fit,
};
