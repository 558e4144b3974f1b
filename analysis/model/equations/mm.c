/* SPDX-License-Identifier: BSD-3-Clause */
/* mm.c: the two-line model of concurrent communications behind the interface of model/model.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/model/equations/contention.h"
#include "analysis/model/models.h"
#include "analysis/model/robust.h"
#include "analysis/model/small.h"

#define CUT_HIGH 1e6

static const struct model_param params[] = {
	[MM_L] = { "L", "ns", 0, 1e12, 0, "fixed service time", SAMPLE_RTT },
	[MM_a] = { "a", "ns/B", 0, 1e9, 0, "time a byte below m0", SAMPLE_RTT },
	[MM_b] = { "b", "ns/B", 0, 1e9, 0, "time a byte from m0 on", SAMPLE_RTT },
	[MM_m0] = { "m0", "B", 0, 1.9e19, 0, "shortest message of the second line", SAMPLE_RTT },
	[MM_c] = { "c", "ns/B", 0, 1e9, 0, "time a byte inside a node", SAMPLE_RTT },
	[MM_cut_pair] = { "cut_pair", "", 0, CUT_HIGH, 0, "flow cut of <-X-> and ->X<-",
		SAMPLE_FLOW },
	[MM_cut_chain_end] = { "cut_chain_end", "", 0, CUT_HIGH, 0,
		"flow cut at the ends of an odd chain of these", SAMPLE_FLOW },
	[MM_cut_chain_middle] = { "cut_chain_middle", "", 0, CUT_HIGH, 0,
		"flow cut between them, every other", SAMPLE_FLOW },
	[MM_cut_enter] = { "cut_enter", "", 0, CUT_HIGH, 0, "flow cut of ->X->, the entering flow",
		SAMPLE_FLOW },
	[MM_cut_leave] = { "cut_leave", "", 0, CUT_HIGH, 0, "flow cut of ->X->, the leaving flow",
		SAMPLE_FLOW },
	[MM_cut_between] = { "cut_between", "", 0, CUT_HIGH, 0,
		"flow cut of one flow with neighbours at both ends", SAMPLE_FLOW },
	[MM_cut_single] = { "cut_single", "", 0, CUT_HIGH, 0, "flow cut of any other flow",
		SAMPLE_FLOW },
	[MM_cut_in] = { "cut_in", "", 0, CUT_HIGH, 0,
		"flow cut of ->X<- from two nodes; unknown: cut_pair counts", SAMPLE_FLOW },
};

_Static_assert(sizeof(params) / sizeof(*params) == MM_PARAMS, "all described");

void contention_of(const struct model_params *p, struct contention *net)
{
	*net = (struct contention){
		.L = model_get(p, MM_L),
		.a = model_get(p, MM_a),
		.b = model_get(p, MM_b),
		.m0 = model_get(p, MM_m0),
		.c = model_get(p, MM_c),
		.cut_pair = model_get(p, MM_cut_pair),
		.cut_chain_end = model_get(p, MM_cut_chain_end),
		.cut_chain_middle = model_get(p, MM_cut_chain_middle),
		.cut_enter = model_get(p, MM_cut_enter),
		.cut_leave = model_get(p, MM_cut_leave),
		.cut_between = model_get(p, MM_cut_between),
		.cut_single = model_get(p, MM_cut_single),
		.cut_in = model_get(p, MM_cut_in),
	};
	if (isnan(net->a)) /* one line */
		net->a = net->b;
	if (isnan(net->m0))
		net->m0 = 0;
	/* a longer pattern that was not measured gets the cut of a shorter one */
	if (isnan(net->cut_chain_end))
		net->cut_chain_end = net->cut_pair;
	if (isnan(net->cut_chain_middle))
		net->cut_chain_middle = net->cut_pair;
	if (isnan(net->cut_between))
		net->cut_between = net->cut_single;
}

/* A cut that is not known would stop the clock of contention_run(). */
int contention_known(const struct contention *c)
{
	return !isnan(c->cut_pair + c->cut_chain_end + c->cut_chain_middle + c->cut_enter +
		c->cut_leave + c->cut_between + c->cut_single);
}

static double predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	struct contention net;

	contention_of(p, &net);
	switch (q) {
	case MODEL_MESSAGE:
		return contention_alone(&net, c->bytes, c->same_node);
	case MODEL_ROUND_TRIP:
		return 2 * contention_alone(&net, c->bytes, c->same_node);
	default:
		if (!c->node_of || c->n < 1) {
			*why = "a broadcast needs the nodes of its ranks";
			return NAN;
		}
		if (!contention_known(&net)) {
			*why = "flow cuts are not known";
			return NAN;
		}
		return contention_broadcast(&net, c->node_of, c->n, c->bytes, 0);
	}
}

static int set_param(struct model_params *p, int param, double value, const char *reason)
{
	return model_set(p, param, MODEL_NO_BYTES, value, NAN, NAN, reason);
}

/* A measured cut, 0 at least. Of NAN the reason is kept. */
static int set_cut(struct model_params *p, int param, double cut, const char *reason)
{
	return isnan(cut) ? set_param(p, param, NAN, reason) :
			    set_param(p, param, fmax(cut, 0), NULL);
}

/* Fits two lines with one intercept L. The first line gives L; the second one gets that L. */
static int fit_lines(struct model_params *p, const double *x, const double *y, size_t n)
{
	size_t first[2] = { 0, n },
	       parts = robust_segments(x, y, n, 2, 3, 0.01, ROBUST_BAYES, first);
	size_t at = parts == 2 ? first[1] : n;
	struct robust_line l = robust_line_fit(x, y, at, NAN);
	struct robust_line r = parts == 2 ? robust_line_fit(x + at, y + at, n - at, l.a) : l;
	int rc;

	if ((rc = set_param(p, MM_L, l.a, NULL)) < 0 || (rc = set_param(p, MM_a, l.b, NULL)) < 0 ||
		(rc = set_param(p, MM_b, r.b, NULL)) < 0)
		return rc;
	return parts == 2 ? model_set(p, MM_m0, MODEL_NO_BYTES, x[at], x[at - 1] + 1, x[at], NULL) :
			    set_param(p, MM_m0, NAN, "one line describes all lengths");
}

/* A flow's median divided by that of a flow alone, at the longest length that has both. */
static double slowdown(const struct sample_point *pt, size_t np, enum sample_flow flow)
{
	double best = NAN;
	uint64_t bytes = 0;

	for (size_t i = 0; i < np; i++)
		for (size_t j = 0; j < np; j++)
			if (pt[i].kind == SAMPLE_FLOW && pt[i].flow == flow &&
				pt[j].kind == SAMPLE_FLOW && pt[j].flow == SAMPLE_FLOW_ALONE &&
				pt[i].bytes == pt[j].bytes && pt[i].bytes >= bytes) {
				bytes = pt[i].bytes;
				best = pt[i].median / pt[j].median;
			}
	return best;
}

/*
 * Computes the cuts from two equal flows. Two flows in one direction share the node all the time: T
 * = (1 + cut) T_NC. If one enters and one leaves, the leaving one shares while the other runs. Then
 * it is alone: with T = (1 + y) T_NC, 1 / (1 + cut) + y = 1 (section 6.1 of the source).
 */
static int fit_cuts(
	struct model_params *p, const struct sample_point *pt, size_t np, struct model_findings *f)
{
	double out = slowdown(pt, np, SAMPLE_FLOW_OUT) - 1,
	       in = slowdown(pt, np, SAMPLE_FLOW_IN) - 1;
	double apart = slowdown(pt, np, SAMPLE_FLOW_IN_APART) - 1;
	double enter = slowdown(pt, np, SAMPLE_FLOW_MIXED_IN) - 1;
	double y = slowdown(pt, np, SAMPLE_FLOW_MIXED_OUT) - 1;
	double pair = isnan(out) ? in : isnan(in) ? out : (out + in) / 2;
	const char *reason = "no concurrent transfers were measured";
	const char *chains = "patterns of more than two flows were not measured";
	const char *alike = "no two flows from two nodes into one were measured: cut_pair counts";
	int rc;

	if (isnan(pair) && isnan(y)) {
		for (int i = MM_cut_pair; i < MM_PARAMS; i++)
			if ((rc = set_param(p, i, NAN, reason)) < 0)
				return rc;
		return model_find_add(f, FINDING_TOO_LITTLE, MM_cut_pair, SAMPLE_FLOW, 0,
			UINT64_MAX, "%s", reason);
	}
	for (size_t i = 0; i < np; i++)
		if (pt[i].kind == SAMPLE_FLOW &&
			pt[i].ci_high - pt[i].ci_low > 0.3 * pt[i].median &&
			(rc = model_find_add(f, FINDING_NOISE, MM_cut_pair, SAMPLE_FLOW,
				 pt[i].bytes, pt[i].bytes,
				 "transfers '%s' of %llu B: median %.0f ns, within %.0f to "
				 "%.0f",
				 sample_flow_name(pt[i].flow), (unsigned long long)pt[i].bytes,
				 pt[i].median, pt[i].ci_low, pt[i].ci_high)) < 0)
			return rc;
	y = fmax(y, 0);
	if ((rc = set_cut(p, MM_cut_pair, pair, reason)) < 0 ||
		(rc = set_param(p, MM_cut_chain_end, NAN, chains)) < 0 ||
		(rc = set_param(p, MM_cut_chain_middle, NAN, chains)) < 0 ||
		(rc = set_cut(p, MM_cut_enter, enter, reason)) < 0 ||
		(rc = set_param(p, MM_cut_between, NAN, chains)) < 0 ||
		(rc = set_param(p, MM_cut_single, 0, NULL)) < 0 ||
		(rc = set_cut(p, MM_cut_in, apart, alike)) < 0)
		return rc;
	return y < 1 ?
		set_param(p, MM_cut_leave, y / (1 - y), NULL) :
		set_param(p, MM_cut_leave, NAN, "the leaving flow waited for the other's end");
}

/* A curve's *m points: x, then y, in one array to be freed. NULL: *m is 0, or SIZE_MAX (no memory).
 */
static double *half_round_trips(const struct sample *s, size_t n, int same_node, size_t *m)
{
	struct sample_filter filter = SAMPLE_FILTER_FITS;
	struct sample_point *pt;
	double *x = NULL;
	size_t np;

	filter.same_node = same_node;
	filter.kind = SAMPLE_RTT;
	pt = sample_points(s, n, &filter, &np, NULL);
	*m = np;
	if (pt) {
		x = malloc(2 * np * sizeof(*x));
		*m = x ? sample_curve(pt, np, SAMPLE_RTT, 0, UINT64_MAX, 0.5, x, x + np) : SIZE_MAX;
		if (x && *m < np)
			for (size_t i = 0; i < *m; i++)
				x[*m + i] = x[np + i];
	}
	free(pt);
	return x;
}

/* Fits c, the slope inside a node. The model leaves out that messages start sooner there. */
static int fit_inside(struct model_params *p, const struct sample *s, size_t n)
{
	size_t m;
	double *x = half_round_trips(s, n, 1, &m), c = NAN;

	if (m == SIZE_MAX)
		return -ENOMEM;
	if (m > 0)
		c = robust_line_fit(x, x + m, m, NAN).b;
	free(x);
	return set_param(
		p, MM_c, c, isnan(c) ? "no pair of ranks inside a node was measured" : NULL);
}

/* Fits the lines of a pair between nodes, or of a pair inside the node if all ranks share one. */
static int fit(struct model_params *p, const struct sample *s, size_t n, struct model_findings *f)
{
	struct sample_filter filter = SAMPLE_FILTER_FITS;
	struct sample_point *pt;
	size_t m, np;
	double *x = half_round_trips(s, n, 0, &m);
	int rc;

	filter.same_node = x ? 0 : -1;
	if (!x && m == 0)
		x = half_round_trips(s, n, 1, &m);
	if (m == SIZE_MAX)
		return -ENOMEM;
	rc = m >= 2 ? fit_lines(p, x, x + m, m) :
		      model_find_add(f, FINDING_TOO_LITTLE, MM_b, SAMPLE_RTT, 0, UINT64_MAX,
			      "%zu lengths of round trips do not give a line", m);
	free(x);
	if (rc == 0)
		rc = fit_inside(p, s, n);
	pt = sample_points(s, n, &filter, &np, NULL);
	if (rc == 0 && np == SIZE_MAX)
		rc = -ENOMEM;
	if (rc == 0)
		rc = small_report(pt, np, SAMPLE_RTT, f);
	if (rc == 0)
		rc = fit_cuts(p, pt, np, f);
	free(pt);
	return rc;
}

const struct model model_mm = {
	.name = "MM",
	.source = "MM (Martinasso, Mehaut), sections 3.2 and 5",
	.summary = "two lines, and flow cuts where messages share nodes",
	.param = params,
	.nparams = MM_PARAMS,
	.two_tiers = 1,
	.quantities = 1u << MODEL_MESSAGE | 1u << MODEL_ROUND_TRIP | 1u << MODEL_BROADCAST,
	.inputs = MODEL_TIER,
	.predict = predict,
	.fit = fit,
};
