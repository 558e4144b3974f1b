/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * logfp.c: LogfP, bursts of small messages of which the first f need no gap.
 *
 * Source: LogfP, equation (2) and section 5. P hosts are addressed (1:P-P:1):
 *
 *	o(P) = o_min + o_max / P
 *	RTT(P) = 2L + P o(P) + o(1)                                      P <= f
 *	RTT(P) = 2L + o(P) + o(1) + max{(P - 1) o(P), (P - f) g}          P > f
 *
 * The source says both o_max = o(1) and, by the equation, o(1) = o_min + o_max. Its formula for L
 * needs the latter, so here o_max = o(1) - o_min. The source takes f from the lowest RTT(P) / P.
 * This needs f g > 2L + o(1) + o_min. Without it, RTT(P) / P has no lowest value: it falls with
 * each P. We then take f from the second line itself. For g the source takes RTT(P) / P for large
 * P. The slope between the two longest bursts has the same limit and reaches it sooner, so we take
 * that.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/models.h"
#include "analysis/model/robust.h"
#include "analysis/model/small.h"

enum { LOGFP_o_min, LOGFP_o_max, LOGFP_L, LOGFP_g, LOGFP_f };

static const struct model_param params[] = {
	[LOGFP_o_min] = { "o_min", "ns", 0, 1e12, 0, "overhead of a send in a long burst",
		SAMPLE_BURST_SEND },
	[LOGFP_o_max] = { "o_max", "ns", 0, 1e12, 0, "what the first send takes more",
		SAMPLE_BURST_SEND },
	[LOGFP_L] = { "L", "ns", 0, 1e12, 0, "latency", SAMPLE_BURST },
	[LOGFP_g] = { "g", "ns", 0, 1e12, 0, "gap of each message after the first f",
		SAMPLE_BURST },
	[LOGFP_f] = { "f", "", 1, 1e9, 0, "messages that need no gap", SAMPLE_BURST },
};

static double overhead(const struct model_params *p, double P)
{
	return model_get(p, LOGFP_o_min) + model_get(p, LOGFP_o_max) / P;
}

static double predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	double P = q == MODEL_BURST || q == MODEL_BURST_SEND ? c->n : 1, o = overhead(p, P);
	double L = model_get(p, LOGFP_L), f = model_get(p, LOGFP_f), rtt;

	if (P < 1) {
		*why = "a burst has at least one host";
		return NAN;
	}
	if (q == MODEL_SEND || q == MODEL_BURST_SEND)
		return o;
	rtt = 2 * L + o + overhead(p, 1);
	/* one host is within any f >= 1 */
	if (P > 1 && (isnan(f) || P > f)) {
		double gaps = (P - f) * model_get(p, LOGFP_g);

		rtt += isnan(gaps) ? NAN : fmax((P - 1) * o, gaps);
	} else {
		rtt += (P - 1) * o;
	}
	return rtt;
}

/* A line through o(P) over 1 / P: o_max is the slope. */
static int fit_overhead(struct model_params *p, const double *P, const double *y, size_t n)
{
	double *u = malloc(n * sizeof(*u));
	struct robust_line l;
	int rc;

	if (!u)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		u[i] = 1 / P[i];
	l = robust_line_fit(u, y, n, NAN);
	free(u);
	if (l.b < 0 && l.b > -l.b_half)
		l.b = 0;
	rc = model_set(p, LOGFP_o_min, MODEL_NO_BYTES, l.a, l.a - l.a_half, l.a + l.a_half, NULL);
	return rc < 0 ? rc :
			model_set(p, LOGFP_o_max, MODEL_NO_BYTES, l.b, l.b - l.b_half,
				l.b + l.b_half, NULL);
}

/* Fits g to the two longest bursts, and f to the place where the second line begins. */
static int fit_gap(struct model_params *p, const double *P, const double *y, size_t n,
	struct model_findings *f)
{
	double g = (y[n - 1] - y[n - 2]) / (P[n - 1] - P[n - 2]);
	double o = overhead(p, P[n - 1]), start, *at, fit_f;
	size_t m = 0;
	int rc;

	if (g <= 1.05 * o) {
		rc = model_find_add(f, FINDING_NOT_SEPARABLE, LOGFP_g, SAMPLE_BURST, 0, UINT64_MAX,
			"bursts grow by %.0f ns a host, a send takes %.0f ns", g, o);
		if (rc < 0)
			return rc;
		if ((rc = model_set(p, LOGFP_f, MODEL_NO_BYTES, P[n - 1], P[n - 1], NAN, NULL)) < 0)
			return rc;
		return model_set(p, LOGFP_g, MODEL_NO_BYTES, NAN, NAN, NAN,
			"the sends' overhead hides the gap");
	}
	at = malloc(n * sizeof(*at));
	if (!at)
		return -ENOMEM;
	start = 2 * model_get(p, LOGFP_L) + overhead(p, 1);
	for (size_t i = 0; i < n; i++) {
		double gaps = y[i] - start - overhead(p, P[i]);

		/* skip sizes whose time comes from the overheads, not from the gaps */
		if (gaps > 1.1 * (P[i] - 1) * overhead(p, P[i]))
			at[m++] = P[i] - gaps / g;
	}
	fit_f = robust_median(at, m);
	free(at);
	rc = model_set(p, LOGFP_g, MODEL_NO_BYTES, g, NAN, NAN, NULL);
	return rc < 0 ? rc :
			model_set(p, LOGFP_f, MODEL_NO_BYTES, fit_f < 1 ? 1 : fit_f, NAN, NAN,
				isnan(fit_f) ? "bursts too short" : NULL);
}

static int fit_points(
	struct model_params *p, const struct sample_point *pt, size_t np, struct model_findings *f)
{
	double *P = malloc(2 * np * sizeof(*P)), *y = P + np;
	size_t n;
	int rc;

	if (!P)
		return -ENOMEM;
	n = small_bursts(pt, np, SAMPLE_BURST_SEND, P, y);
	if (n < 2)
		rc = model_find_add(f, FINDING_TOO_LITTLE, LOGFP_o_min, SAMPLE_BURST_SEND, 0,
			UINT64_MAX, "sends of bursts to at least 2 numbers of hosts are needed");
	else
		rc = fit_overhead(p, P, y, n);
	n = rc < 0 ? 0 : small_bursts(pt, np, SAMPLE_BURST, P, y);
	if (rc == 0 && (n < 3 || P[0] != 1))
		rc = model_find_add(f, FINDING_TOO_LITTLE, LOGFP_L, SAMPLE_BURST, 0, UINT64_MAX,
			"bursts to 1 and at least 2 other numbers of hosts are needed");
	else if (rc == 0) {
		rc = model_set(p, LOGFP_L, MODEL_NO_BYTES, (y[0] - 2 * overhead(p, 1)) / 2, NAN,
			NAN, NULL);
		if (rc == 0)
			rc = fit_gap(p, P, y, n, f);
	}
	free(P);
	return rc;
}

static int fit(struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	return small_fit_points(p, s, n, SAMPLE_BURST, f, fit_points);
}

const struct model model_logfp = {
	.name = "LogfP",
	.source = "LogfP, section 5",
	.summary = "bursts of small messages, the first f without a gap",
	.param = params,
	.nparams = sizeof(params) / sizeof(*params),
	.quantities = 1u << MODEL_SEND | 1u << MODEL_ROUND_TRIP | 1u << MODEL_BURST |
		1u << MODEL_BURST_SEND,
	.predict = predict,
	.fit = fit,
};
