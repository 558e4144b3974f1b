/* SPDX-License-Identifier: BSD-3-Clause */
/* plogp.c: see plogp.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/models.h"
#include "analysis/model/equations/plogp.h"
#include "analysis/model/small.h"

static const struct model_param params[] = {
	[PLOGP_L] = { "L", "ns", 0, 1e12, 0, "latency", SAMPLE_RTT },
	[PLOGP_o_s] = { "o_s", "ns", 0, 1e15, 1, "send overhead of a message", SAMPLE_SEND },
	[PLOGP_o_r] = { "o_r", "ns", 0, 1e15, 1, "receive overhead of a message", SAMPLE_RECV },
	[PLOGP_g] = { "g", "ns", 0, 1e15, 1, "gap of a message", SAMPLE_RTT },
	[PLOGP_one_way] = { "one_way", "ns", 0, 1e15, 1, "L + g", SAMPLE_RTT },
};

/* L + g(M), from the sum where it is known. */
static double one_way(const struct model_params *p, uint64_t bytes)
{
	double sum = model_get_at(p, PLOGP_one_way, bytes);

	return isnan(sum) ? model_get(p, PLOGP_L) + model_get_at(p, PLOGP_g, bytes) : sum;
}

static double predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	switch (q) {
	case MODEL_SEND:
		return model_get_at(p, PLOGP_o_s, c->bytes);
	case MODEL_RECV:
		return model_get_at(p, PLOGP_o_r, c->bytes);
	case MODEL_MESSAGE:
		return one_way(p, c->bytes);
	case MODEL_ROUND_TRIP:
		return 2 * one_way(p, c->bytes);
	default:
		if (c->n < 2)
			return NAN;
		if (c->n > 2 && isnan(model_get_at(p, PLOGP_g, c->bytes)))
			*why = "g is known only in the sum L + g";
		return one_way(p, c->bytes) +
			(c->n > 2 ? (c->n - 2) * model_get_at(p, PLOGP_g, c->bytes) : 0);
	}
}

/* A curve of medians becomes the values of a parameter. */
static int set_curve(struct model_params *p, int param, enum sample_kind kind, double scale,
	double less, const struct sample_point *pt, size_t np, struct model_findings *f)
{
	double *x = malloc(2 * np * sizeof(*x)), *y = x + np;
	size_t n;
	int rc = x ? 0 : -ENOMEM;

	n = x ? sample_curve(pt, np, kind, 0, UINT64_MAX, scale, x, y) : 0;
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = model_set(p, param, (uint64_t)x[i], y[i] - less, NAN, NAN, NULL);
	free(x);
	if (rc < 0 || n > 0)
		return rc;
	rc = model_find_add(f, FINDING_TOO_LITTLE, param, kind, 0, UINT64_MAX, "no samples of %s",
		sample_kind_name(kind));
	return rc < 0 ? rc : model_set(p, param, 0, NAN, NAN, NAN, "not measured");
}

/* The whole curve must rise with length: where a longer message took less, both are named. */
static int report_falls(
	const struct model_params *p, int param, enum sample_kind kind, struct model_findings *f)
{
	const struct model_value *before = NULL;
	int rc = 0;

	for (size_t i = 0; i < p->nvalues && rc == 0; i++) {
		const struct model_value *v = &p->value[i];

		if (v->param != param)
			continue;
		if (before && v->value < 0.9 * before->value)
			rc = model_find_add(f, FINDING_NON_MONOTONE, param, kind, before->bytes,
				v->bytes, "%s is %.0f ns for %llu B, %.0f ns for %llu B",
				p->model->param[param].name, before->value,
				(unsigned long long)before->bytes, v->value,
				(unsigned long long)v->bytes);
		before = v;
	}
	return rc;
}

static int fit_points(
	struct model_params *p, const struct sample_point *pt, size_t np, struct model_findings *f)
{
	struct small_times t = small_times_of(pt, np);
	double L = t.half_rtt - t.g;
	const char *reason = isnan(L) ? "needs round trips and a train of messages" : NULL;
	int rc;

	if (L <= 0) {
		reason = "a message of a train takes longer than half a round trip";
		rc = model_find_add(f, FINDING_NOT_SEPARABLE, PLOGP_L, SAMPLE_TRAIN, 0, UINT64_MAX,
			"RTT(0) / 2 is %.0f ns, g(0) %.0f ns", t.half_rtt, t.g);
		if (rc < 0)
			return rc;
		L = NAN;
	}
	if ((rc = model_set(p, PLOGP_L, MODEL_NO_BYTES, L, NAN, NAN, reason)) < 0 ||
		(rc = set_curve(p, PLOGP_o_s, SAMPLE_SEND, 1, 0, pt, np, f)) < 0 ||
		(rc = set_curve(p, PLOGP_o_r, SAMPLE_RECV, 1, 0, pt, np, f)) < 0 ||
		(rc = set_curve(p, PLOGP_one_way, SAMPLE_RTT, 0.5, 0, pt, np, f)) < 0)
		return rc;
	rc = isnan(L) ? model_set(p, PLOGP_g, 0, NAN, NAN, NAN, "L is not known, only L + g") :
			set_curve(p, PLOGP_g, SAMPLE_RTT, 0.5, L, pt, np, f);
	return rc < 0 ? rc : report_falls(p, PLOGP_one_way, SAMPLE_RTT, f);
}

static int fit(struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	return small_fit_points(p, s, n, SAMPLE_RTT, f, fit_points);
}

int plogp_convert(const struct model_params *plogp, struct model_params *to)
{
	double o_s = model_get_at(plogp, PLOGP_o_s, 1), o_r = model_get_at(plogp, PLOGP_o_r, 1);
	double g = model_get_at(plogp, PLOGP_g, 1), L = one_way(plogp, 1) - o_s - o_r, G = NAN;
	const char *no_L = isnan(L) ? "L, g, o_s or o_r is not known" : NULL, *sum = NULL;
	uint64_t longest = 0;
	int rc;

	if (plogp->model != &model_plogp ||
		(to->model != &model_logp && to->model != &model_loggp_1))
		return -EINVAL;
	if (L < 0) {
		L = NAN;
		no_L = "overheads overlap the delivery: only 2o + L is known";
	}
	const struct {
		const char *name;
		double value;
		const char *reason;
	} values[] = {
		{ "L", L, no_L },
		{ "o", (o_s + o_r) / 2, NULL },
		{ "g", g, isnan(g) ? "g is known only in the sum L + g" : NULL },
		{ "one_way", one_way(plogp, 1), NULL },
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if ((rc = model_set(to, model_param_find(to->model, values[i].name), MODEL_NO_BYTES,
			     values[i].value, NAN, NAN, values[i].reason)) < 0)
			return rc;
	if (to->model == &model_logp)
		return 0;
	for (size_t i = 0; i < plogp->nvalues; i++) {
		const struct model_value *v = &plogp->value[i];

		if ((v->param == PLOGP_g || v->param == PLOGP_one_way) && v->bytes > longest &&
			v->bytes != MODEL_NO_BYTES)
			longest = v->bytes;
	}
	if (longest > 0)
		G = model_get_at(plogp, PLOGP_g, longest) / (double)longest;
	if (longest > 0 && isnan(G)) { /* inferred: L vanishes beside so long a message */
		G = one_way(plogp, longest) / (double)longest;
		sum = "from L + g: L is not known";
	}
	return model_set(to, model_param_find(to->model, "G"), MODEL_NO_BYTES, G, NAN, NAN, sum);
}

double plogp_pairs_linear(
	const struct plogp_pairs *p, enum model_quantity q, uint64_t bytes, const char **why)
{
	struct model_case c = { .bytes = bytes, .n = p->n };
	double sum = 0;

	*why = NULL;
	for (int i = 0; i < p->n; i++)
		for (int j = 0; j < p->n && !isnan(sum); j++)
			if (i != j)
				sum += model_predict(&p->pair[i * p->n + j], q, &c, why);
	return sum / (p->n * (p->n - 1));
}

const struct model model_plogp = {
	.name = "PLogP",
	.source = "CPM",
	.summary = "overheads and gap piecewise linear in the length",
	.param = params,
	.nparams = PLOGP_PARAMS,
	.quantities = 1u << MODEL_SEND | 1u << MODEL_RECV | 1u << MODEL_MESSAGE |
		1u << MODEL_ROUND_TRIP | 1u << MODEL_SCATTER | 1u << MODEL_GATHER,
	.predict = predict,
	.fit = fit,
};
