/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c: makes the rows of links, forms and layouts, and writes one file; names missing values. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/links/calibration.h"
#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/equations/plogp.h"
#include "analysis/model/live/fit.h"
#include "analysis/model/models.h"
#include "pmpi/calibrate/file.h"
#include "pmpi/calibrate/messages.h"
#include "pmpi/measure/fingerprint.h"

/* Rows of link_param. */
struct link_rows {
	struct rec_link *row;
	size_t n;
};

static int add_row(struct link_rows *r, unsigned tier, unsigned form, unsigned layout,
	const char *name, const char *unit, const struct model_value *v)
{
	struct rec_link *row = full_one_more((void **)&r->row, &r->n, sizeof(*row));

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
	/* for standard sends and receives of contiguous data it is the pair's own PLogP */
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

/* The extra time of a strided layout in a call, as a line: intercept, and slope per byte. */
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
	l = full_overhead_line(x, y, n);
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
 * Does a long transfer move while the side of this form computes? Compares the remaining wait with
 * the whole transfer: the send call of that length, or half a round trip. NAN: not measured.
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

/* Corrects values for which the quick calibration had little time. */
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
		struct rec_link *row = full_one_more((void **)&r->row, &r->n, sizeof(*row));

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

int full_add_cuts(const struct full_samples *samples, struct rec_link *links, size_t *n, size_t max)
{
	struct model_findings findings;
	struct model_params p;
	const int rc = model_fit(&p, &model_mm, samples->s, samples->n, &findings);

	for (size_t i = 0; !rc && i < p.nvalues && *n < max; i++) {
		const struct model_value *v = &p.value[i];
		const char *name = model_mm.param[v->param].name;
		struct rec_link *row = &links[*n];

		if (strncmp(name, "cut_", 4) != 0 || isnan(v->value))
			continue;
		*row = live_row(TIER_NETWORK, "", name, MODEL_NO_BYTES, "", "measured");
		snprintf(row->model, sizeof(row->model), "%s", model_mm.name);
		row->value = v->value;
		++*n;
	}
	model_params_release(&p);
	model_findings_release(&findings);
	return rc;
}

/* Round trips must have been measured up to S, or up to this many bytes if S is longer. */
#define REACH_MIN 65536

double full_tier_S(const struct rec_link *links, size_t nlinks, unsigned tier)
{
	for (size_t i = 0; i < nlinks; i++)
		if (links[i].head.id == tier && !links[i].form[0] &&
			strcmp(links[i].name, "S") == 0)
			return links[i].value;
	return NAN;
}

/*
 * True if the pair has round trips, up to S or REACH_MIN unless the user asked for shorter ones.
 * Otherwise prints how far they reach.
 */
static bool has_round_trips(const struct calibration *c, const struct full_options *o, double S,
	const struct full_pair_name *pair)
{
	const int64_t longest = calibration_longest_bytes(c, pair->from, pair->to);
	const char *tier = calibration_tier_name(pair->tier);
	/* fmin() ignores an unknown S */
	const double wanted = o->nsizes ? 0 : fmin(fmin(S, REACH_MIN), (double)o->max_bytes);

	if (longest < 0)
		fprintf(stderr,
			"tryst calibrate: %d-%d (%s): nothing could be measured: both ranks were "
			"never on time, the machine is too busy\n",
			pair->from, pair->to, tier);
	else if ((double)longest < wanted)
		fprintf(stderr,
			"tryst calibrate: %d-%d (%s): no round trip above %" PRId64 " B could be "
			"measured in time, and %.0f B are needed\n",
			pair->from, pair->to, tier, longest, wanted);
	return longest >= 0 && (double)longest >= wanted;
}

/* Prints the worst and the mean error of round trips without a delay. */
static void print_errors(const struct calibration *c, const struct full_pair_name *pair)
{
	for (const struct model *const *m = models; *m; m++) {
		double sum = 0, worst = 0;
		uint64_t worst_bytes = 0;
		size_t n = 0;

		for (size_t i = 0; i < c->nresiduals; i++) {
			const struct calibration_residual *r = &c->residual[i];
			double e = fabs(model_error_percent(r->predicted_ns, r->measured_ns));

			if (r->model != *m || r->from != pair->from || r->to != pair->to ||
				r->delay_ns > 0)
				continue;
			sum += e;
			worst_bytes = e > worst ? r->bytes : worst_bytes;
			worst = e > worst ? e : worst;
			n++;
		}
		if (n > 0 && ((*m) == &model_loggps || (*m) == &model_plogp))
			fprintf(stderr,
				"tryst calibrate: %d-%d (%s): %s predicts round trips within "
				"%.1f %% on average, %.1f %% at worst (%" PRIu64 " B)\n",
				pair->from, pair->to, calibration_tier_name(pair->tier), (*m)->name,
				sum / (double)n, worst, worst_bytes);
	}
}

/* The reason why the rows for runs lack a value whose name begins with `name`. */
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
 * True if all pairs were measured, with all values that predictions need. Prints what is missing.
 */
static bool is_complete(const struct calibration *c, const struct full_options *o,
	const struct rec_link *links, size_t nlinks, const struct full_pair_name *pairs,
	size_t npairs)
{
	bool used[TIER_COUNT] = { false }, complete = true;

	for (size_t i = 0; i < npairs; i++) {
		complete &=
			has_round_trips(c, o, full_tier_S(links, nlinks, pairs[i].tier), &pairs[i]);
		used[pairs[i].tier] = true;
	}
	for (unsigned tier = TIER_NODE; tier < TIER_COUNT; tier++)
		if (used[tier])
			complete &= full_links_suffice(links, nlinks, tier, true);
	return complete;
}

/*
 * Writes FILE if it is complete, so that users of FILE can rely on it; otherwise FILE.incomplete. A
 * complete FILE removes FILE.incomplete. 0 or a negative errno.
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
			"idle machine, with a processor for each rank, or with --budget %g",
			o->output, part, 2 * o->budget_s);
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
		struct calibration_pair *p = full_one_more((void **)&c.pair, &c.npairs, sizeof(*p));

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
	if (rc == 0)
		rc = full_fit(&c, pairs, npairs, host, nranks);
	if (rc == 0)
		rc = all_rows(&rows, links, nlinks, &c);
	if (rc == -ENOMEM)
		fprintf(stderr, "tryst calibrate: out of memory\n");
	fingerprint_take(&f, npairs ? (int)pairs[0].tier : TIER_SELF, "", 0, 1, fingerprint_cpus());
	if (rc == 0)
		rc = write_what_there_is(
			o, &f, &rows, &c, is_complete(&c, o, links, nlinks, pairs, npairs));
	for (size_t i = 0; i < npairs && rc == 0 && !o->quiet; i++)
		print_errors(&c, &pairs[i]);
	free(rows.row);
	calibration_release(&c);
	return rc;
}
