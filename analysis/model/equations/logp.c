/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * logp.c: LogP, for messages so short that their length does not matter.
 *
 * Source: LogfP, section 2 and equation (1); AM (2) with o_s = o_r = o. one_way is 2o + L, kept as
 * a parameter of its own because it is known also where L is not.
 */
#include <math.h>

#include "analysis/model/models.h"
#include "analysis/model/small.h"

enum { LOGP_L, LOGP_o, LOGP_g, LOGP_one_way };

static const struct model_param params[] = {
	[LOGP_L] = { "L", "ns", 0, 1e12, 0, "latency", SAMPLE_RTT },
	[LOGP_o] = { "o", "ns", 0, 1e12, 0, "overhead of a send or a receive", SAMPLE_SEND },
	[LOGP_g] = { "g", "ns", 0, 1e12, 0, "gap between messages", SAMPLE_TRAIN },
	[LOGP_one_way] = { "one_way", "ns", 0, 1e12, 0, "2o + L", SAMPLE_RTT },
};

static double predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	double o = model_get(p, LOGP_o), g = model_get(p, LOGP_g);
	double one_way = model_get(p, LOGP_one_way);

	(void)why;
	if (isnan(one_way))
		one_way = 2 * o + model_get(p, LOGP_L);
	switch (q) {
	case MODEL_SEND:
	case MODEL_RECV:
	case MODEL_BURST_SEND:
		return o;
	case MODEL_MESSAGE:
		return one_way;
	case MODEL_ROUND_TRIP:
		return 2 * one_way;
	default:
		/* 2L + 2o + (P - 1) max{o, g}: the source's burst answers without overhead */
		if (c->n < 1 || isnan(o) || isnan(g))
			return NAN;
		return 2 * one_way - 2 * o + (c->n - 1) * fmax(o, g);
	}
}

static int fit_points(
	struct model_params *p, const struct sample_point *pt, size_t np, struct model_findings *f)
{
	struct small_times t = small_times_of(pt, np);
	int rc = small_latency(p, LOGP_L, LOGP_o, LOGP_one_way, t.o, t.half_rtt, f);

	if (rc < 0)
		return rc;
	return model_set(p, LOGP_g, MODEL_NO_BYTES, t.g, NAN, NAN,
		isnan(t.g) ? "no train of messages was measured" : NULL);
}

static int fit(struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	return small_fit_points(p, s, n, SAMPLE_RTT, f, fit_points);
}

const struct model model_logp = {
	.name = "LogP",
	.source = "LogfP, section 2",
	.summary = "latency, overhead and gap of short messages",
	.param = params,
	.nparams = sizeof(params) / sizeof(*params),
	.quantities = 1u << MODEL_SEND | 1u << MODEL_RECV | 1u << MODEL_MESSAGE |
		1u << MODEL_ROUND_TRIP | 1u << MODEL_BURST | 1u << MODEL_BURST_SEND,
	.predict = predict,
	.fit = fit,
};
