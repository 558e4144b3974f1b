/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loggp.c: LogGP fitted as one line and as two, after LogGPS's Table 9.
 *
 * A message of k bytes takes 2o + L + (k - 1) G. The names are Table 9's, the fits are ours:
 *
 * - LogGP-1 has one L, o and G for all lengths; in Table 9 o and G are curves (its Fig. 7).
 * - LogGP-2 has two o and G, split where that helps most; Table 9 splits at s.
 *
 * The source's times for a whole program (its Table 10) depend on S in LogGP-2, not in LogGP-1. So
 * its LogGP-2 counts the waiting of a rendezvous (inferred). Here a message never waits for its
 * receiver: no S, no handshake. LogGP-2's L may be known only in the sums 2o + L; its set in
 * published.c has the source's numbers.
 * Scatter and gather are CPM's: L + 2o + (n - 1)(M - 1) G + (n - 2) g.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/models.h"
#include "analysis/model/robust.h"
#include "analysis/model/small.h"

enum {
	LOGGP_L,
	LOGGP_o,
	LOGGP_G,
	LOGGP_one_way,
	LOGGP_g,
	LOGGP_o_l,
	LOGGP_G_l,
	LOGGP_one_way_l,
	LOGGP_s
};

#define COMMON_PARAMS                                                                              \
	[LOGGP_L] = { "L", "ns", 0, 1e12, 0, "latency", SAMPLE_RTT },                              \
	[LOGGP_o] = { "o", "ns", 0, 1e12, 0, "overhead", SAMPLE_SEND },                            \
	[LOGGP_G] = { "G", "ns/B", 0, 1e9, 0, "gap a byte", SAMPLE_RTT },                          \
	[LOGGP_one_way] = { "one_way", "ns", 0, 1e12, 0, "2o + L", SAMPLE_RTT },                   \
	[LOGGP_g] = { "g", "ns", 0, 1e12, 0, "gap between short messages", SAMPLE_TRAIN }

static const struct model_param params_1[] = { COMMON_PARAMS };

static const struct model_param params_2[] = {
	COMMON_PARAMS,
	[LOGGP_o_l] = { "o_l", "ns", 0, 1e12, 0, "overhead above s", SAMPLE_RTT },
	[LOGGP_G_l] = { "G_l", "ns/B", 0, 1e9, 0, "gap a byte above s", SAMPLE_RTT },
	[LOGGP_one_way_l] = { "one_way_l", "ns", -1e12, 1e12, 0, "2 o_l + L", SAMPLE_RTT },
	[LOGGP_s] = { "s", "B", 0, 1.9e19, 0, "longest message of the first line", SAMPLE_RTT },
};

/* The line that holds for k bytes. */
struct line {
	double o, one_way, G;
};

static struct line line_for(const struct model_params *p, uint64_t k)
{
	int above = p->model == &model_loggp_2 && (double)k > model_get(p, LOGGP_s);
	struct line l = {
		.o = model_get(p, above ? LOGGP_o_l : LOGGP_o),
		.one_way = model_get(p, above ? LOGGP_one_way_l : LOGGP_one_way),
		.G = model_get(p, above ? LOGGP_G_l : LOGGP_G),
	};

	if (isnan(l.one_way))
		l.one_way = 2 * l.o + model_get(p, LOGGP_L);
	return l;
}

static double predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	struct line l = line_for(p, c->bytes);
	double message = l.one_way + (c->bytes ? (double)(c->bytes - 1) * l.G : 0);

	(void)why;
	switch (q) {
	case MODEL_SEND:
	case MODEL_RECV:
		return l.o;
	case MODEL_MESSAGE:
		return message;
	case MODEL_ROUND_TRIP:
		return 2 * message;
	default:
		if (c->n < 2 || c->bytes < 1)
			return NAN;
		/* with two processes the gap between short messages has no part in it */
		return l.one_way + (c->n - 1) * (double)(c->bytes - 1) * l.G +
			(c->n > 2 ? (c->n - 2) * model_get(p, LOGGP_g) : 0);
	}
}

static int set_param(struct model_params *p, int param, double value, double half)
{
	return model_set(p, param, MODEL_NO_BYTES, value, value - half, value + half, NULL);
}

/* x[] becomes k - 1, so that a line's intercept is the time of one byte. */
static size_t half_round_trips(const struct sample_point *pt, size_t np, double *x, double *y)
{
	size_t n = sample_curve(pt, np, SAMPLE_RTT, 0, UINT64_MAX, 0.5, x, y);

	for (size_t i = 0; i < n; i++)
		x[i] = x[i] > 0 ? x[i] - 1 : 0;
	return n;
}

static int too_few(struct model_findings *f, int param, size_t n)
{
	return model_find_add(f, FINDING_TOO_LITTLE, param, SAMPLE_RTT, 0, UINT64_MAX,
		"%zu lengths of round trips do not give a line", n);
}

static int fit_1(struct model_params *p, const struct small_times *t, const double *x,
	const double *y, size_t n, struct model_findings *f)
{
	struct robust_line l = robust_line_fit(x, y, n, NAN);
	int rc;

	if (isnan(l.b) && (rc = too_few(f, LOGGP_G, n)) < 0)
		return rc;
	rc = small_latency(p, LOGGP_L, LOGGP_o, LOGGP_one_way, t->o, l.a, f);
	return rc < 0 ? rc : set_param(p, LOGGP_G, l.b, l.b_half);
}

static int fit_2(struct model_params *p, const struct small_times *t, const double *x,
	const double *y, size_t n, struct model_findings *f)
{
	size_t first[2] = { 0, n },
	       parts = robust_segments(x, y, n, 2, 3, 0.01, ROBUST_BAYES, first);
	size_t at = parts == 2 ? first[1] : n;
	struct robust_line s = robust_line_fit(x, y, at, NAN), l = s;
	double L;
	int rc;

	if (isnan(s.b) && (rc = too_few(f, LOGGP_G, n)) < 0)
		return rc;
	if (parts == 2)
		l = robust_line_fit(x + at, y + at, n - at, NAN);
	if ((rc = small_latency(p, LOGGP_L, LOGGP_o, LOGGP_one_way, t->o, s.a, f)) < 0 ||
		(rc = set_param(p, LOGGP_G, s.b, s.b_half)) < 0 ||
		(rc = set_param(p, LOGGP_G_l, l.b, l.b_half)) < 0 ||
		(rc = set_param(p, LOGGP_one_way_l, l.a, l.a_half)) < 0)
		return rc;
	L = model_get(p, LOGGP_L);
	rc = model_set(p, LOGGP_o_l, MODEL_NO_BYTES, (l.a - L) / 2, NAN, NAN,
		isnan(L) ? "L is not known, only 2 o_l + L" : NULL);
	if (rc < 0)
		return rc;
	if (parts < 2)
		return model_set(p, LOGGP_s, MODEL_NO_BYTES, NAN, NAN, NAN,
			"one line describes all lengths");
	return model_set(p, LOGGP_s, MODEL_NO_BYTES, x[at - 1] + 1, x[at - 1] + 1, x[at], NULL);
}

static int fit_points(
	struct model_params *p, const struct sample_point *pt, size_t np, struct model_findings *f)
{
	struct small_times t = small_times_of(pt, np);
	double *x = malloc(2 * np * sizeof(*x)), *y = x + np;
	size_t n;
	int rc;

	if (!x)
		return -ENOMEM;
	n = half_round_trips(pt, np, x, y);
	rc = (p->model == &model_loggp_2 ? fit_2 : fit_1)(p, &t, x, y, n, f);
	free(x);
	if (rc < 0)
		return rc;
	return model_set(p, LOGGP_g, MODEL_NO_BYTES, t.g, NAN, NAN,
		isnan(t.g) ? "no train of messages was measured" : NULL);
}

static int fit(struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	return small_fit_points(p, s, n, SAMPLE_RTT, f, fit_points);
}

#define QUANTITIES                                                                                 \
	(1u << MODEL_SEND | 1u << MODEL_RECV | 1u << MODEL_MESSAGE | 1u << MODEL_ROUND_TRIP |      \
		1u << MODEL_SCATTER | 1u << MODEL_GATHER)

const struct model model_loggp_1 = {
	.name = "LogGP-1",
	.source = "ours, after LogGPS, Table 9; CPM",
	.summary = "ours: one line for all lengths, no S (the source has curves)",
	.param = params_1,
	.nparams = sizeof(params_1) / sizeof(*params_1),
	.quantities = QUANTITIES,
	.predict = predict,
	.fit = fit,
};

const struct model model_loggp_2 = {
	.name = "LogGP-2",
	.source = "ours, after LogGPS, Table 9; CPM",
	.summary = "ours: two lines, split where that helps most, no S",
	.param = params_2,
	.nparams = sizeof(params_2) / sizeof(*params_2),
	.quantities = QUANTITIES,
	.predict = predict,
	.fit = fit,
};
