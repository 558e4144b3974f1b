/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file.c: from samples to fits, residuals and the file.
 *
 * Every model is fitted to each pair's samples that are not truth; residuals compare with the
 * medians of those that are. Forms other than the standard blocking send get their overheads by
 * length (PLogP's o_s) and, where they have them, their own S and S_p.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/live/fit.h"
#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/models.h"
#include "analysis/model/equations/plogp.h"
#include "analysis/model/robust.h"
#include "analysis/format/links/calibration.h"
#include "analysis/base/shown.h"
#include "pmpi/measure/fingerprint.h"
#include "pmpi/calibrate/full.h"

static void print_line(void *context, const char *text)
{
	char shown[2048];

	(void)context;
	fprintf(stderr, "tryst calibrate: %s\n", shown_text(text, shown, sizeof(shown)));
}

const struct say full_stderr = { .line = print_line };

/* Room for one more element; NULL where memory ran out. */
static void *one_more(void **array, size_t *n, size_t size)
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
	struct calibration_fit *f = one_more((void **)&c->fit, &c->nfits, sizeof(*f));

	if (f) {
		f->from = pair->from;
		f->to = pair->to;
		model_params_init(&f->params, m);
		model_findings_init(&f->findings);
	}
	return f;
}

/*
 * Does a pair's fit see this sample? Its own, and what a group of ranks measured (from = to): flows
 * between hosts by pairs on two hosts, bursts by pairs that begin with the rank that sent them.
 */
static bool is_of_pair(const struct sample *s, const struct full_pair_name *pair, bool two_tiers)
{
	if (s->from != s->to)
		return (s->from == pair->from && s->to == pair->to) ||
			(two_tiers && s->same_node != (pair->tier == TIER_NODE));
	return s->kind == SAMPLE_FLOW ? pair->tier == TIER_NETWORK : s->from == pair->from;
}

/*
 * The samples of one pair, in order, and with two_tiers those of the other tier's pairs; NULL where
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
	r = one_more((void **)&c->residual, &c->nresiduals, sizeof(*r));
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

/* One model's fit, of this pair's samples or, of a model for two tiers, also of the other's. */
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

/* What S and S_p of a form mean by themselves: NULL where they were measured. */
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
		/* nothing waited below S: that is where local completion ends */
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

/* A line through n points; a slope that noise pushed just below 0 is 0. */
static struct robust_line overhead_line(const double *x, const double *y, size_t n)
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
	l = overhead_line(x, y, m);
	rc = model_set(
		&f->params, LOGGPS_o, MODEL_NO_BYTES, l.a, l.a - l.a_half, l.a + l.a_half, NULL);
	if (rc == 0)
		rc = model_set(&f->params, LOGGPS_O_ss, MODEL_NO_BYTES, l.b, l.b - l.b_half,
			l.b + l.b_half, NULL);
	if (rc == 0 && m < n) {
		double o = l.a;

		l = overhead_line(x + m, y + m, n - m);
		rc = model_set(&f->params, LOGGPS_O_sr, MODEL_NO_BYTES, l.b, l.b - l.b_half,
			l.b + l.b_half, NULL);
		if (rc == 0)
			rc = model_set(&f->params, LOGGPS_rendezvous, MODEL_NO_BYTES, l.a - o, NAN,
				NAN, NULL);
	}
	free(x);
	return rc == 0 ? model_refuse_out_of_range(&f->params, &f->findings) : rc;
}

/* What a form costs by length, in its lines, and where it waits. */
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

/* ---- rows of forms and layouts, for those who read link_param ---- */

struct link_rows {
	struct rec_link *row;
	size_t n;
};

static int add_row(struct link_rows *r, unsigned tier, unsigned form, unsigned layout,
	const char *name, const char *unit, const struct model_value *v)
{
	struct rec_link *row = one_more((void **)&r->row, &r->n, sizeof(*row));

	if (!row)
		return -ENOMEM;
	*row = live_row((int)tier, sample_form_name(form), name, MODEL_NO_BYTES, unit, "measured");
	snprintf(row->layout, sizeof(row->layout), "%s", sample_layout_name(layout));
	row->value = v->value;
	row->ci_low = v->ci_low;
	row->ci_high = v->ci_high;
	memcpy(row->reason, v->reason, sizeof(row->reason));
	return 0;
}

/* LogGPS's rows of one form and layout. */
static int form_rows(struct link_rows *r, unsigned tier, const struct calibration_fit *f)
{
	int rc = 0;

	for (size_t i = 0; i < f->params.nvalues && rc == 0; i++) {
		const struct model_value *v = &f->params.value[i];
		const struct model_param *d = &f->params.model->param[v->param];

		if (v->bytes == MODEL_NO_BYTES)
			rc = add_row(r, tier, f->form, f->layout, d->name, d->unit, v);
	}
	return rc;
}

/* The values of a PLogP curve of this form and layout, or NULL. */
static const struct model_params *curve_of(
	const struct calibration *c, const struct calibration_fit *like, unsigned layout)
{
	/* of standard sends and receives of contiguous data the pair's own PLogP */
	unsigned plain = layout == SAMPLE_CONTIGUOUS &&
		(like->form == SAMPLE_SEND_FORM || like->form == SAMPLE_RECV_FORM);

	for (size_t i = 0; i < c->nfits; i++) {
		const struct calibration_fit *f = &c->fit[i];

		if (f->params.model == &model_plogp && f->from == like->from && f->to == like->to &&
			f->form == (plain ? 0 : like->form) && f->layout == (plain ? 0 : layout))
			return &f->params;
	}
	return NULL;
}

/* What a strided layout adds to a call: a line, its intercept and its slope a byte. */
static int strided_rows(struct link_rows *r, unsigned tier, const struct calibration *c,
	const struct calibration_fit *f)
{
	const struct model_params *plain = curve_of(c, f, SAMPLE_CONTIGUOUS);
	int param = f->form == SAMPLE_RECV_FORM ? PLOGP_o_r : PLOGP_o_s, rc;
	struct model_value v = { .ci_low = NAN, .ci_high = NAN };
	double x[64], y[64];
	struct robust_line l;
	size_t n = 0;

	for (size_t i = 0; plain && i < f->params.nvalues && n < 64; i++) {
		const struct model_value *s = &f->params.value[i];
		double more = s->value - model_get_at(plain, param, s->bytes);

		if (s->param != param || isnan(more))
			continue;
		x[n] = (double)s->bytes;
		y[n++] = fmax(more, 1);
	}
	l = overhead_line(x, y, n);
	if (!(l.b >= 0))
		return 0;
	v.value = fmax(l.a, 0);
	if ((rc = add_row(r, tier, f->form, SAMPLE_STRIDED, "strided_o", "ns", &v)) < 0)
		return rc;
	v.value = l.b;
	return add_row(r, tier, f->form, SAMPLE_STRIDED, "strided_O", "ns/B", &v);
}

/*
 * The median of the longest messages of a kind and form that a pair measured; *bytes: their length.
 */
static double longest_of(const struct calibration *c, const struct calibration_pair *pair,
	enum sample_kind kind, int form, uint64_t only, uint64_t *bytes)
{
	struct sample_filter filter = { (int)kind, form, -1, pair->from, pair->to, 0, -1 };
	struct sample_point *pt;
	double ns = NAN;
	size_t np;

	pt = sample_points(c->sample, c->nsamples, &filter, &np, NULL);
	for (size_t i = 0; pt && i < np; i++)
		if (pt[i].delay_ns >= 0 && pt[i].layout != SAMPLE_STRIDED &&
			(only == UINT64_MAX || pt[i].bytes == only)) {
			ns = pt[i].median;
			*bytes = pt[i].bytes;
		}
	free(pt);
	return ns;
}

/*
 * Does a long transfer move while the side of this form computes? What is left in the wait, against
 * the whole: the send call of that length, half a round trip. NAN: not measured.
 */
static double moves_alone(
	const struct calibration *c, const struct calibration_pair *pair, int form)
{
	uint64_t bytes = 0, same;
	double rest = longest_of(c, pair, SAMPLE_OVERLAP, form, UINT64_MAX, &bytes), all;

	if (isnan(rest) || bytes < 65536)
		return NAN;
	all = form == SAMPLE_ISEND ?
		longest_of(c, pair, SAMPLE_SEND, SAMPLE_SEND_FORM, bytes, &same) :
		longest_of(c, pair, SAMPLE_RTT, -1, bytes, &same) / 2;
	return isnan(all) ? NAN : rest < 0.5 * all;
}

/* What the quick calibration had little time for is set right. */
static void set_async(
	struct rec_link *row, const struct calibration *c, const struct calibration_pair *pair)
{
	int form = sample_form_by_name(row->form);
	double moves;

	if (strcmp(row->name, "async_progress") != 0 || row->head.id != pair->tier ||
		(form != SAMPLE_ISEND && form != SAMPLE_IRECV))
		return;
	moves = moves_alone(c, pair, form);
	if (isnan(moves))
		return;
	row->value = moves;
	row->reason[0] = '\0';
}

/* The rows of the quick calibration, and those of forms and layouts of each tier's first pair. */
static int all_rows(struct link_rows *r, const struct rec_link *links, size_t nlinks,
	const struct calibration *c)
{
	int rc = 0;

	for (size_t i = 0; i < nlinks && rc == 0; i++) {
		struct rec_link *row = one_more((void **)&r->row, &r->n, sizeof(*row));

		if (!row)
			return -ENOMEM;
		*row = links[i];
	}
	for (unsigned tier = TIER_NODE; tier < TIER_COUNT; tier++) {
		const struct calibration_pair *pair = NULL;

		for (size_t i = 0; i < c->npairs && !pair; i++)
			pair = c->pair[i].tier == tier ? &c->pair[i] : NULL;
		for (size_t i = 0; pair && i < nlinks; i++)
			set_async(&r->row[i], c, pair);
		for (size_t i = 0; pair && i < c->nfits && rc == 0; i++) {
			const struct calibration_fit *f = &c->fit[i];

			if (f->from != pair->from || f->to != pair->to || f->form == 0)
				continue;
			if (f->params.model == &model_loggps)
				rc = form_rows(r, tier, f);
			else if (f->layout == SAMPLE_STRIDED)
				rc = strided_rows(r, tier, c, f);
		}
	}
	return rc;
}

/* Was the pair measured at all? If not, this is said. */
static bool has_round_trips(const struct calibration *c, const struct full_pair_name *pair)
{
	for (size_t i = 0; i < c->nsamples; i++)
		if (c->sample[i].kind == SAMPLE_RTT && c->sample[i].from == pair->from &&
			c->sample[i].to == pair->to)
			return true;
	fprintf(stderr,
		"tryst calibrate: %d-%d (%s): nothing could be measured: both ranks were never on "
		"time, the machine is too busy\n",
		pair->from, pair->to, calibration_tier_name(pair->tier));
	return false;
}

/* The worst and the mean error of the round trips without a delay, for the user to see. */
static void print_errors(const struct calibration *c, const struct full_pair_name *pair)
{
	for (const struct model *const *m = models; *m; m++) {
		double sum = 0, worst = 0;
		size_t n = 0;

		for (size_t i = 0; i < c->nresiduals; i++) {
			const struct calibration_residual *r = &c->residual[i];
			double e = fabs(model_error_percent(r->predicted_ns, r->measured_ns));

			if (r->model != *m || r->from != pair->from || r->to != pair->to ||
				r->delay_ns > 0)
				continue;
			sum += e;
			worst = e > worst ? e : worst;
			n++;
		}
		if (n > 0 && ((*m) == &model_loggps || (*m) == &model_plogp))
			fprintf(stderr,
				"tryst calibrate: %d-%d (%s): %s predicts round trips within "
				"%.1f %% on average, %.1f %% at worst\n",
				pair->from, pair->to, calibration_tier_name(pair->tier), (*m)->name,
				sum / (double)n, worst);
	}
}

/* Why the rows that runs take have no value of a name that begins so. */
static const char *why_unknown(
	const struct rec_link *links, size_t nlinks, unsigned tier, const char *name)
{
	for (size_t i = 0; i < nlinks; i++)
		if (links[i].head.id == tier && !links[i].form[0] && isnan(links[i].value) &&
			links[i].reason[0] && strncmp(links[i].name, name, strlen(name)) == 0 &&
			(links[i].name[strlen(name)] == '\0' || links[i].name[strlen(name)] == '_'))
			return links[i].reason;
	return "too little was measured in time";
}

bool full_links_suffice(const struct rec_link *links, size_t nlinks, unsigned tier, bool say)
{
	struct live_base base;
	struct live_link *link = calloc(1, sizeof(*link));

	if (!link) {
		fprintf(stderr, "tryst calibrate: %s: no memory to look at its link parameters\n",
			calibration_tier_name(tier));
		return false;
	}
	if (live_base_from_rows(links, nlinks, (int)tier, &base) != 0 ||
		live_link_from_rows(links, nlinks, (int)tier, link) != 0) {
		if (say)
			fprintf(stderr,
				"tryst calibrate: %s: no link parameters are known (%s): runs with "
				"this file lack predictions and protocols of messages\n",
				calibration_tier_name(tier), why_unknown(links, nlinks, tier, "S"));
		free(link);
		return false;
	}

	const bool has_long = base.p.s < base.p.S;
	const struct {
		bool known;
		const char *name, *lack;
	} need[] = {
		{ link->flags & LIVE_KNOWN_S, "S",
			"protocols of messages and what sends waited for" },
		{ link->flags & LIVE_KNOWN_TIME, "o", "predictions" },
		{ !isnan(base.p.one_way), "L", "predictions of receives" },
		{ !isnan(base.p.by[LOGGPS_SHORT].sum), "G_s", "predictions of short messages" },
		{ !has_long || !isnan(base.p.by[LOGGPS_LONG].sum), "G_l",
			"predictions of long messages" },
	};
	bool suffice = true;

	for (size_t i = 0; i < sizeof(need) / sizeof(*need); i++)
		if (!need[i].known) {
			suffice = false;
			if (say)
				fprintf(stderr,
					"tryst calibrate: %s: %s is unknown (%s): runs with this "
					"file lack %s\n",
					calibration_tier_name(tier), need[i].name,
					why_unknown(links, nlinks, tier, need[i].name),
					need[i].lack);
		}
	free(link);
	return suffice;
}

/*
 * Whether all pairs were measured, and all that predictions need of their tiers. What is missing is
 * said.
 */
static bool is_complete(const struct calibration *c, const struct rec_link *links, size_t nlinks,
	const struct full_pair_name *pairs, size_t npairs)
{
	bool used[TIER_COUNT] = { false }, complete = true;

	for (size_t i = 0; i < npairs; i++) {
		complete &= has_round_trips(c, &pairs[i]);
		used[pairs[i].tier] = true;
	}
	for (unsigned tier = TIER_NODE; tier < TIER_COUNT; tier++)
		if (used[tier])
			complete &= full_links_suffice(links, nlinks, tier, true);
	return complete;
}

/*
 * The file, or what there is of it under another name: who uses FILE may rely on it. The other
 * name's file does not outlive a success. 0 or a negative errno.
 */
static int write_what_there_is(const struct full_options *o, const struct fingerprint *f,
	const struct link_rows *rows, const struct calibration *c, bool complete)
{
	const size_t size = strlen(o->output) + sizeof(".incomplete");
	char *part = malloc(size);
	int rc;

	if (!part) {
		fprintf(stderr, "tryst calibrate: out of memory\n");
		return -ENOMEM;
	}
	snprintf(part, size, "%s.incomplete", o->output);
	rc = calibration_write(
		complete ? o->output : part, f->key, f->nkeys, rows->row, rows->n, c, &full_stderr);
	if (rc == 0 && !complete) {
		say_line(&full_stderr,
			"'%s' was not written, '%s' has what could be measured. Repeat this on an "
			"idle machine, with a processor for each rank, or with a larger --budget",
			o->output, part);
		rc = -EAGAIN;
	} else if (rc == 0) {
		calibration_remove(part, &full_stderr);
	}
	free(part);
	return rc;
}

int full_write(const struct full_options *o, const struct rec_link *links, size_t nlinks,
	const struct full_pair_name *pairs, size_t npairs, const char (*host)[64], int nranks,
	struct full_samples *samples)
{
	struct calibration c = { .sample = samples->s, .nsamples = samples->n };
	struct link_rows rows = { NULL, 0 };
	struct fingerprint f;
	int rc = 0;

	memset(samples, 0, sizeof(*samples)); /* ours now */
	for (size_t i = 0; i < c.nsamples; i++)
		for (size_t k = 0; k < npairs && !c.sample[i].same_node; k++)
			c.sample[i].same_node = pairs[k].tier == TIER_NODE &&
				c.sample[i].from == pairs[k].from && c.sample[i].to == pairs[k].to;
	for (size_t i = 0; i < npairs && rc == 0; i++) {
		struct calibration_pair *p = one_more((void **)&c.pair, &c.npairs, sizeof(*p));

		if (!p) {
			rc = -ENOMEM;
			break;
		}
		p->from = pairs[i].from;
		p->to = pairs[i].to;
		p->tier = pairs[i].tier;
		memcpy(p->from_host, host[p->from], sizeof(p->from_host));
		memcpy(p->to_host, host[p->to], sizeof(p->to_host));
	}
	for (size_t i = 0; i < npairs && rc == 0; i++)
		rc = fit_pair(&c, &pairs[i]);
	for (size_t i = 0; i < c.nfits && rc == 0; i++)
		if (c.fit[i].params.model == &model_loghssp)
			rc = set_shape(&c.fit[i], host, nranks);
	if (rc == 0)
		rc = all_rows(&rows, links, nlinks, &c);
	if (rc == -ENOMEM)
		fprintf(stderr, "tryst calibrate: out of memory\n");
	fingerprint_take(&f, npairs ? (int)pairs[0].tier : TIER_SELF, "", 0, 1, fingerprint_cpus());
	if (rc == 0)
		rc = write_what_there_is(
			o, &f, &rows, &c, is_complete(&c, links, nlinks, pairs, npairs));
	for (size_t i = 0; i < npairs && rc == 0 && !o->quiet; i++)
		print_errors(&c, &pairs[i]);
	free(rows.row);
	calibration_release(&c);
	return rc;
}
