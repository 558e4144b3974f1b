/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loghssp.c: LoGH{sSP}, clusters of shared memory machines in two tiers.
 *
 * Source: AM, section 3.3, (8) and (9): inside a node s_s + s_r + (k - 1) S and no latency, between
 * nodes o_s + o_r + (k - 1) G + L. Its S is a gap a byte, not LogGPS's border. H (nodes) and P
 * (processes on each) say what a machine has and are in neither equation.
 *
 * Not in the source, ours: the fit. Half round trips over k - 1 are a line in each tier. Inside a
 * node, where there is no latency, its intercept is s_s + s_r, shared as the calls' own times are;
 * between nodes it is o_s + L + o_r with the calls' own times, and L what they leave. one_way is
 * that sum, known also where overheads overlap the delivery and L is not.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/models.h"
#include "analysis/model/robust.h"
#include "analysis/model/small.h"

enum { LGH_L, LGH_o_s, LGH_o_r, LGH_G, LGH_H, LGH_s_s, LGH_s_r, LGH_S, LGH_P, LGH_one_way };

static const struct model_param params[] = {
	[LGH_L] = { "L", "ns", 0, 1e12, 0, "latency between nodes", SAMPLE_RTT },
	[LGH_o_s] = { "o_s", "ns", 0, 1e12, 0, "send overhead between nodes", SAMPLE_SEND },
	[LGH_o_r] = { "o_r", "ns", 0, 1e12, 0, "receive overhead between nodes", SAMPLE_RECV },
	[LGH_G] = { "G", "ns/B", 0, 1e9, 0, "gap a byte between nodes", SAMPLE_RTT },
	[LGH_H] = { "H", "", 1, 1e9, 0, "nodes", SAMPLE_RTT },
	[LGH_s_s] = { "s_s", "ns", 0, 1e12, 0, "send overhead inside a node", SAMPLE_SEND },
	[LGH_s_r] = { "s_r", "ns", 0, 1e12, 0, "receive overhead inside a node", SAMPLE_RECV },
	[LGH_S] = { "S", "ns/B", 0, 1e9, 0, "gap a byte inside a node", SAMPLE_RTT },
	[LGH_P] = { "P", "", 1, 1e9, 0, "processes on a node", SAMPLE_RTT },
	[LGH_one_way] = { "one_way", "ns", 0, 1e12, 0, "o_s + L + o_r between nodes", SAMPLE_RTT },
};

static double predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	double bytes = c->bytes ? (double)(c->bytes - 1) : 0;
	double send = model_get(p, c->same_node ? LGH_s_s : LGH_o_s);
	double recv = model_get(p, c->same_node ? LGH_s_r : LGH_o_r);

	double fixed = send + recv;

	(void)why;
	if (q == MODEL_SEND)
		return send;
	if (q == MODEL_RECV)
		return recv;
	if (!c->same_node) {
		fixed += model_get(p, LGH_L);
		fixed = isnan(fixed) ? model_get(p, LGH_one_way) : fixed;
	}
	return (q == MODEL_ROUND_TRIP ? 2 : 1) *
		(fixed + bytes * model_get(p, c->same_node ? LGH_S : LGH_G));
}

static int set_param(struct model_params *p, int param, double value, const char *reason)
{
	return model_set(p, param, MODEL_NO_BYTES, value, NAN, NAN, isnan(value) ? reason : NULL);
}

/* What one tier shows; all NAN where it was not measured. */
struct tier {
	struct small_times t;
	struct robust_line l; /* half round trips over k - 1 */
};

/* 0, -ENOMEM; 1: no such samples. */
static int tier_of(
	const struct sample *s, size_t n, int same_node, struct tier *out, struct model_findings *f)
{
	struct sample_filter filter = SAMPLE_FILTER_FITS;
	struct sample_point *pt;
	double *x = NULL, *y;
	size_t np, m;
	int rc = 1;

	*out = (struct tier){ { NAN, NAN, NAN, NAN, NAN }, { NAN, NAN, NAN, NAN, NAN } };
	filter.same_node = same_node;
	pt = sample_points(s, n, &filter, &np, NULL);
	if (pt) {
		x = malloc(2 * np * sizeof(*x));
		rc = x ? small_report(pt, np, SAMPLE_RTT, f) : -ENOMEM;
	} else if (np == SIZE_MAX) {
		rc = -ENOMEM;
	}
	if (rc == 0) {
		y = x + np;
		m = sample_curve(pt, np, SAMPLE_RTT, 0, UINT64_MAX, 0.5, x, y);
		for (size_t i = 0; i < m; i++)
			x[i] = x[i] > 0 ? x[i] - 1 : 0;
		out->t = small_times_of(pt, np);
		out->l = robust_line_fit(x, y, m, NAN);
		rc = isnan(out->l.b);
	}
	free(x);
	free(pt);
	return rc;
}

static int fit_inside(
	struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	const char *reason = "no pair of ranks inside a node was measured";
	struct tier in;
	double send;
	int rc = tier_of(s, n, 1, &in, f);

	if (rc < 0 ||
		(rc == 1 &&
			model_find_add(f, FINDING_TOO_LITTLE, LGH_S, SAMPLE_RTT, 0, UINT64_MAX,
				"%s at two lengths or more", reason) < 0))
		return -ENOMEM;
	/* calls that were not timed alone count alike */
	send = in.t.o_s / (in.t.o_s + in.t.o_r);
	send = in.l.a * (isnan(send) ? 0.5 : send);
	if ((rc = set_param(p, LGH_s_s, send, reason)) < 0 ||
		(rc = set_param(p, LGH_s_r, in.l.a - send, reason)) < 0)
		return rc;
	return set_param(p, LGH_S, in.l.b, reason);
}

static int fit_between(
	struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	const char *reason = "no pair of ranks on two nodes was measured", *no_L = reason;
	struct tier net;
	double L;
	int rc = tier_of(s, n, 0, &net, f);

	if (rc < 0 ||
		(rc == 1 &&
			model_find_add(f, FINDING_TOO_LITTLE, LGH_G, SAMPLE_RTT, 0, UINT64_MAX,
				"%s at two lengths or more", reason) < 0))
		return -ENOMEM;
	L = net.l.a - net.t.o_s - net.t.o_r;
	if (rc == 0 && isnan(L))
		no_L = "sends or receives were not measured";
	if (L < 0) {
		no_L = "overheads overlap the delivery: only one_way is known";
		if (model_find_add(f, FINDING_NOT_SEPARABLE, LGH_L, SAMPLE_RTT, 0, UINT64_MAX,
			    "o_s + L + o_r is %.0f ns, o_s + o_r alone %.0f ns", net.l.a,
			    net.t.o_s + net.t.o_r) < 0)
			return -ENOMEM;
		L = NAN;
	}
	if ((rc = set_param(p, LGH_L, L, no_L)) < 0 ||
		(rc = set_param(p, LGH_o_s, net.t.o_s, reason)) < 0 ||
		(rc = set_param(p, LGH_o_r, net.t.o_r, reason)) < 0 ||
		(rc = set_param(p, LGH_one_way, net.l.a, reason)) < 0)
		return rc;
	return set_param(p, LGH_G, net.l.b, reason);
}

/* H and P are the launch's: whoever knows its hosts sets them. */
static int fit(struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	const char *open = "no time tells it, and no equation needs it";
	int rc = fit_inside(p, s, n, f);

	if (rc == 0)
		rc = fit_between(p, s, n, f);
	if (rc == 0)
		rc = set_param(p, LGH_H, NAN, open);
	return rc < 0 ? rc : set_param(p, LGH_P, NAN, open);
}

const struct model model_loghssp = {
	.name = "LoGHsSP",
	.source = "AM, section 3.3",
	.summary = "two tiers: inside a node and between nodes",
	.param = params,
	.nparams = sizeof(params) / sizeof(*params),
	.two_tiers = 1,
	.quantities =
		1u << MODEL_SEND | 1u << MODEL_RECV | 1u << MODEL_MESSAGE | 1u << MODEL_ROUND_TRIP,
	.inputs = MODEL_TIER,
	.predict = predict,
	.fit = fit,
};
