/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fits.c: from samples to fits and residuals.
 *
 * Every model is fitted to a pair's samples for fits. Residuals compare it with the medians of the
 * samples that no fit uses (truth). Forms other than the standard blocking send get their overheads
 * by length (PLogP's o_s), and their own S and S_p if they have any.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/equations/plogp.h"
#include "analysis/model/models.h"
#include "pmpi/calibrate/fits.h"
#include "pmpi/calibrate/step.h"

void *full_one_more(void **array, size_t *n, size_t size)
{
	char *bigger = realloc(*array, (*n + 1) * size);

	if (!bigger)
		return NULL;
	*array = bigger;
	memset(bigger + *n * size, 0, size);
	return bigger + (*n)++ * size;
}

static struct calibration_fit *new_fit(
	struct calibration *c, const struct full_pair_name *pair, const struct model *m)
{
	struct calibration_fit *f = full_one_more((void **)&c->fit, &c->nfits, sizeof(*f));

	if (f) {
		f->from = pair->from;
		f->to = pair->to;
		model_params_init(&f->params, m);
		model_findings_init(&f->findings);
	}
	return f;
}

/*
 * True if a pair's fit uses this sample: the pair's own samples, and those of groups (from = to).
 * Flows and broadcasts between hosts go to pairs on two hosts, bursts to pairs that begin with the
 * sending rank.
 */
static bool is_of_pair(const struct sample *s, const struct full_pair_name *pair, bool two_tiers)
{
	if (s->from != s->to)
		return (s->from == pair->from && s->to == pair->to) ||
			(two_tiers && s->same_node != (pair->tier == TIER_NODE));
	if (s->kind == SAMPLE_FLOW || s->kind == SAMPLE_BROADCAST)
		return pair->tier == TIER_NETWORK;
	return s->from == pair->from;
}

/*
 * The samples of one pair, in order; with two_tiers also those of the other tier's pairs. NULL if
 * memory ran out.
 */
static struct sample *samples_of(
	const struct calibration *c, const struct full_pair_name *pair, bool two_tiers, size_t *n)
{
	struct sample *out = malloc((c->nsamples + 1) * sizeof(*out));

	*n = 0;
	for (size_t i = 0; out && i < c->nsamples; i++)
		if (is_of_pair(&c->sample[i], pair, two_tiers))
			out[(*n)++] = c->sample[i];
	return out;
}

static int add_residual(struct calibration *c, const struct calibration_fit *f,
	enum model_quantity q, bool same_node, const struct sample_point *pt)
{
	struct model_case ask = {
		.bytes = pt->bytes, .delay_ns = (double)pt->delay_ns, .same_node = same_node
	};
	double ns = model_predict(&f->params, q, &ask, NULL);
	struct calibration_residual *r;

	if (isnan(ns) || !(pt->median > 0))
		return 0;
	r = full_one_more((void **)&c->residual, &c->nresiduals, sizeof(*r));
	if (!r)
		return -ENOMEM;
	*r = (struct calibration_residual){ f->from, f->to, f->params.model, q, pt->bytes,
		pt->delay_ns, pt->median, ns };
	return 0;
}

static int residuals(
	struct calibration *c, size_t fit, bool same_node, const struct sample_point *pt, size_t np)
{
	int rc = 0;

	for (size_t i = 0; i < np && rc == 0; i++)
		if (pt[i].kind == SAMPLE_RTT || pt[i].kind == SAMPLE_RTT_W)
			rc = add_residual(c, &c->fit[fit], MODEL_ROUND_TRIP, same_node, &pt[i]);
	return rc;
}

/* Fits one model to this pair's samples; a model for two tiers also uses the other tier's. */
static int fit_model(const struct calibration *c, struct calibration_fit *f,
	const struct full_pair_name *pair, const struct sample *s, size_t n)
{
	const struct model *m = f->params.model;
	struct sample *both = NULL;
	int rc;

	if (m->two_tiers) {
		both = samples_of(c, pair, true, &n);
		if (!both)
			return -ENOMEM;
	}
	rc = model_fit(&f->params, m, both ? both : s, n, &f->findings);
	free(both);
	return rc;
}

/* H and P of LoGH{sSP}: hosts of the launch, and ranks on the fullest. */
static int set_shape(struct calibration_fit *f, const char (*host)[64], int nranks)
{
	int hosts = 0, most = 0, rc;

	for (int i = 0; i < nranks; i++) {
		int same = 0, first = 1;

		for (int k = 0; k < nranks; k++) {
			int equal = strcmp(host[i], host[k]) == 0;

			same += equal;
			first &= !equal || k >= i;
		}
		hosts += first;
		most = same > most ? same : most;
	}
	rc = model_set(&f->params, model_param_find(&model_loghssp, "H"), MODEL_NO_BYTES, hosts,
		NAN, NAN, NULL);
	return rc < 0 ? rc :
			model_set(&f->params, model_param_find(&model_loghssp, "P"), MODEL_NO_BYTES,
				most, NAN, NAN, NULL);
}

static int fit_models(
	struct calibration *c, const struct full_pair_name *pair, const struct sample *s, size_t n)
{
	struct sample_filter filter = SAMPLE_FILTER_TRUTH;
	struct sample_point *truth;
	size_t ntruth;
	int rc = 0;

	truth = sample_points(s, n, &filter, &ntruth, NULL);
	if (ntruth == SIZE_MAX)
		return -ENOMEM;
	for (const struct model *const *m = models; *m && rc == 0; m++) {
		struct calibration_fit *f;

		if (!(*m)->fit)
			continue;
		f = new_fit(c, pair, *m);
		rc = f ? fit_model(c, f, pair, s, n) : -ENOMEM;
		if (rc == 0)
			rc = residuals(c, c->nfits - 1, pair->tier == TIER_NODE, truth, ntruth);
	}
	free(truth);
	return rc;
}

/* The reason why a form has no S or S_p; NULL if it was measured. */
static const char *no_border(
	unsigned form, int param, uint64_t local, uint64_t waits, char *text, size_t size)
{
	if (param == LOGGPS_S && full_is_ready(form))
		return "a ready send has its receive";
	if (waits == 0)
		return param == LOGGPS_S ? "every length waits for its receive" :
					   "every length needs the receiver's progress";
	if (waits != UINT64_MAX)
		return NULL;
	snprintf(text, size, "no send of up to %llu B waited", (unsigned long long)local);
	return text;
}

/* Thresholds of one form and layout. */
static int form_borders(struct calibration_fit *f, const struct sample_point *pt, size_t np)
{
	static const struct {
		enum sample_kind kind;
		int param;
	} borders[] = {
		{ SAMPLE_LATE_MATCH, LOGGPS_S },
		{ SAMPLE_LATE_PROGRESS, LOGGPS_S_p },
	};
	int rc = 0;

	for (size_t i = 0; i < 2 && rc == 0; i++) {
		uint64_t local = 0, waits = UINT64_MAX;
		const char *reason;
		char text[64];
		size_t seen = 0;

		for (size_t j = 0; j < np; j++) {
			if (pt[j].kind != borders[i].kind)
				continue;
			seen++;
			if (2 * pt[j].p10 > (double)pt[j].delay_ns && pt[j].bytes < waits)
				waits = pt[j].bytes;
			else if (2 * pt[j].p10 <= (double)pt[j].delay_ns && pt[j].bytes > local)
				local = pt[j].bytes;
		}
		/* no send below S waited, so local completion ends at S */
		if (borders[i].param == LOGGPS_S_p && waits == UINT64_MAX && seen &&
			(double)local >= model_get(&f->params, LOGGPS_S))
			waits = local + 1;
		reason = no_border(f->form, borders[i].param, local, waits, text, sizeof(text));
		if (seen == 0 && (borders[i].param != LOGGPS_S || !full_is_ready(f->form)))
			reason = "no time to measure it";
		rc = reason ?
			model_set(&f->params, borders[i].param, MODEL_NO_BYTES,
				borders[i].param == LOGGPS_S_p && waits == 0 ? 0 : NAN,
				waits == UINT64_MAX && seen ? (double)local : NAN, NAN, reason) :
			model_set(&f->params, borders[i].param, MODEL_NO_BYTES, (double)local,
				(double)local, (double)waits - 1, NULL);
	}
	return rc;
}

struct robust_line full_overhead_line(const double *x, const double *y, size_t n)
{
	struct robust_line l = robust_line_fit(x, y, n, NAN);

	if (l.b < 0 && (isnan(l.b_half) || l.b + 2 * l.b_half > 0))
		l.b = 0;
	return l;
}

/* o and O of a form's send, up to its S and beyond: there the intercept is o + T4 + T5. */
static int form_lines(struct calibration_fit *f, const struct sample_point *pt, size_t np)
{
	double S = model_get(&f->params, LOGGPS_S), *x = malloc(2 * np * sizeof(*x)), *y = x + np;
	struct robust_line l;
	size_t n = 0, m;
	int rc;

	if (!x)
		return -ENOMEM;
	for (size_t i = 0; i < np; i++)
		if (pt[i].kind == SAMPLE_SEND && pt[i].median > 0) {
			x[n] = (double)pt[i].bytes;
			y[n++] = pt[i].median;
		}
	for (m = 0; m < n && !(x[m] > S);)
		m++;
	l = full_overhead_line(x, y, m);
	rc = model_set(
		&f->params, LOGGPS_o, MODEL_NO_BYTES, l.a, l.a - l.a_half, l.a + l.a_half, NULL);
	if (rc == 0)
		rc = model_set(&f->params, LOGGPS_O_ss, MODEL_NO_BYTES, l.b, l.b - l.b_half,
			l.b + l.b_half, NULL);
	if (rc == 0 && m < n) {
		double o = l.a;

		l = full_overhead_line(x + m, y + m, n - m);
		rc = model_set(&f->params, LOGGPS_O_sr, MODEL_NO_BYTES, l.b, l.b - l.b_half,
			l.b + l.b_half, NULL);
		if (rc == 0)
			rc = model_set(&f->params, LOGGPS_rendezvous, MODEL_NO_BYTES, l.a - o, NAN,
				NAN, NULL);
	}
	free(x);
	return rc == 0 ? model_refuse_out_of_range(&f->params, &f->findings) : rc;
}

/* A form's overheads by length, their lines, and its thresholds. */
static int fit_form(struct calibration *c, const struct full_pair_name *pair, unsigned form,
	unsigned layout, const struct sample *s, size_t n)
{
	struct sample_filter filter = { -1, (int)form, (int)layout, -1, -1, 0, -1 };
	struct calibration_fit *f;
	struct sample_point *pt;
	size_t np;
	int rc = 0;

	pt = sample_points(s, n, &filter, &np, NULL);
	if (np == 0)
		return 0;
	f = pt ? new_fit(c, pair, &model_plogp) : NULL;
	if (f) {
		f->form = (uint8_t)form;
		f->layout = (uint8_t)layout;
		for (size_t i = 0; i < np && rc == 0; i++)
			if (pt[i].kind == SAMPLE_SEND || pt[i].kind == SAMPLE_RECV)
				rc = model_set(&f->params,
					pt[i].kind == SAMPLE_SEND ? PLOGP_o_s : PLOGP_o_r,
					pt[i].bytes, pt[i].median, pt[i].ci_low, pt[i].ci_high,
					NULL);
		f = rc == 0 && form != SAMPLE_RECV_FORM ? new_fit(c, pair, &model_loggps) : NULL;
		if (!f && form != SAMPLE_RECV_FORM)
			rc = -ENOMEM;
	} else {
		rc = -ENOMEM;
	}
	if (f && rc == 0) {
		f->form = (uint8_t)form;
		f->layout = (uint8_t)layout;
		rc = form_borders(f, pt, np);
		if (rc == 0)
			rc = form_lines(f, pt, np);
	}
	free(pt);
	return rc;
}

static int fit_pair(struct calibration *c, const struct full_pair_name *pair)
{
	size_t n;
	struct sample *s = samples_of(c, pair, false, &n);
	int rc = s ? fit_models(c, pair, s, n) : -ENOMEM;

	for (unsigned form = SAMPLE_SEND_FORM; form <= SAMPLE_RECV_FORM && rc == 0; form++)
		for (unsigned at = SAMPLE_CONTIGUOUS; at <= SAMPLE_STRIDED && rc == 0; at++)
			if (at == SAMPLE_STRIDED ||
				(form != SAMPLE_SEND_FORM && form != SAMPLE_RECV_FORM))
				rc = fit_form(c, pair, form, at, s, n);
	free(s);
	return rc;
}

int full_fit(struct calibration *c, const struct full_pair_name *pairs, size_t npairs,
	const char (*host)[64], int nranks)
{
	int rc = 0;

	for (size_t i = 0; i < npairs && rc == 0; i++)
		rc = fit_pair(c, &pairs[i]);
	for (size_t i = 0; i < c->nfits && rc == 0; i++)
		if (c->fit[i].params.model == &model_loghssp)
			rc = set_shape(&c->fit[i], host, nranks);
	return rc;
}
