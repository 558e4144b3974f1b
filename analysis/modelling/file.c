/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c: parameters from sets and files, and what a calibration says of every model. */
#include <config.h>

#include "analysis/text/messages.h"
#include "analysis/modelling/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/format/db/db.h"
#include "analysis/model/equations/contention.h"
#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/models.h"

static void print_line(void *context, const char *text)
{
	(void)context;
	say_error("%s", text);
}

const struct say model_say = { .line = print_line };

/* The LogGPS rows of a file that has link parameters alone: of the farthest tier in it. */
static int params_of_links(const char *path, struct model_params *p)
{
	struct link_file file;
	unsigned tier = 0;
	int rc = links_read(path, NULL, 0, &file, &model_say);

	if (rc < 0)
		return -1;
	model_params_init(p, &model_loggps);
	for (size_t i = 0; i < file.nlinks; i++)
		tier = file.link[i].head.id > tier ? file.link[i].head.id : tier;
	for (size_t i = 0; i < file.nlinks && rc == 0; i++) {
		const struct rec_link *r = &file.link[i];
		int param = model_param_find(p->model, r->name);

		if (r->head.id == tier && !r->form[0] && !r->layout[0] && param >= 0 &&
			strcmp(r->model, p->model->name) == 0)
			rc = model_set(
				p, param, r->bytes, r->value, r->ci_low, r->ci_high, r->reason);
	}
	links_release(&file);
	return rc < 0 ? say_error("out of memory"), -1 : 0;
}

static int copy_params(struct model_params *to, const struct model_params *from)
{
	model_params_init(to, from->model);
	for (size_t i = 0; i < from->nvalues; i++) {
		const struct model_value *v = &from->value[i];

		if (model_set(to, v->param, v->bytes, v->value, v->ci_low, v->ci_high, v->reason) <
			0)
			return say_error("out of memory"), -1;
	}
	return 0;
}

static int params_of_file(
	const char *path, const char *model, int from, int to, struct model_params *p)
{
	struct calibration c;
	const struct calibration_fit *best = NULL;
	int rc = -1;

	if (calibration_read(path, &c, &model_say) < 0) {
		calibration_release(&c);
		return -1;
	}
	for (size_t i = 0; i < c.nfits; i++) {
		const struct calibration_fit *f = &c.fit[i];
		const char *want = model ? model : "LogGPS";

		if (f->form == 0 && f->layout == 0 && (from < 0 || f->from == from) &&
			(to < 0 || f->to == to) && strcasecmp(f->params.model->name, want) == 0 &&
			!best)
			best = f;
	}
	if (best)
		rc = copy_params(p, &best->params);
	else if (c.nfits == 0 && (!model || strcasecmp(model, "LogGPS") == 0))
		rc = params_of_links(path, p);
	else
		say_error("'%s' has no parameters of %s for messages from rank %d to rank %d", path,
			model ? model : "LogGPS", from, to);
	calibration_release(&c);
	return rc;
}

int model_form_load(const char *name, int form, int from, int to, struct model_params *p)
{
	struct calibration c;
	int rc = 0;

	if (model_is_published(name))
		return 0;
	if (calibration_read(name, &c, &model_say) < 0)
		rc = -1;
	for (size_t i = 0; i < c.nfits && rc == 0; i++) {
		const struct calibration_fit *f = &c.fit[i];

		if (f->form != form || f->layout != 0 || f->params.model != p->model ||
			(from >= 0 && f->from != from) || (to >= 0 && f->to != to))
			continue;
		for (size_t k = 0; k < f->params.nvalues && rc == 0; k++) {
			const struct model_value *v = &f->params.value[k];

			if (!isnan(v->value) &&
				model_set(p, v->param, v->bytes, v->value, v->ci_low, v->ci_high,
					NULL) < 0)
				rc = (say_error("out of memory"), -1);
		}
		break;
	}
	calibration_release(&c);
	return rc;
}

bool model_is_published(const char *name)
{
	const struct model_published *set = model_published;

	while (set->name && strcmp(set->name, name) != 0)
		set++;
	return set->name != NULL;
}

int model_params_load(const char *name, const char *model, int from, int to, struct model_params *p)
{
	int rc;

	model_params_init(p, NULL);
	if (model && !model_find(model))
		return say_error("no model '%s': tryst model list", model), -1;
	rc = model_published_load(p, name);
	if (rc == -ENOENT)
		return params_of_file(name, model, from, to, p);
	if (rc == 0 && model && strcasecmp(p->model->name, model) != 0)
		return say_error("the set '%s' has parameters of %s", name, p->model->name), -1;
	return rc < 0 ? say_error("out of memory"), -1 : 0;
}

static const char *regime_of(const struct loggps *g, uint64_t bytes)
{
	static const char *const names[] = { "short", "eager", "rendezvous" };

	return names[loggps_regime(g, bytes)];
}

/* One pair's rows of the comparison. */
struct comparing {
	sqlite3_stmt *insert;
	const struct calibration_pair *pair;
	struct loggps g; /* for regimes */
	int rc;          /* SQLite's */
};

static void add_row(struct comparing *k, const char *model, const char *what,
	const struct sample_point *pt, double predicted)
{
	sqlite3_stmt *s = k->insert;

	if (k->rc || isnan(predicted) || !(pt->median > 0))
		return;
	sqlite3_bind_int(s, 1, k->pair->from);
	sqlite3_bind_int(s, 2, k->pair->to);
	sqlite3_bind_text(s, 3, calibration_tier_name(k->pair->tier), -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 4, model, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 5, regime_of(&k->g, pt->bytes), -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 6, (int64_t)pt->bytes);
	sqlite3_bind_int64(s, 7, pt->delay_ns);
	sqlite3_bind_double(s, 8, pt->median);
	sqlite3_bind_double(s, 9, predicted);
	sqlite3_bind_double(s, 10, model_error_percent(predicted, pt->median));
	sqlite3_bind_text(s, 11, what, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 12, pt->count);
	sqlite3_bind_text(s, 13, sample_flow_name(pt->flow), -1, SQLITE_STATIC);
	k->rc = db_execute(s);
}

/* Adds rows that compare a point with the samples for fits of the same point. */
static void compare_halves(struct comparing *k, const char *what, const struct sample_point *pt,
	const struct sample_point *fits, size_t nfits)
{
	for (size_t i = 0; i < nfits; i++)
		if (fits[i].kind == pt->kind && fits[i].bytes == pt->bytes &&
			fits[i].delay_ns == pt->delay_ns && fits[i].count == pt->count &&
			fits[i].flow == pt->flow)
			add_row(k, "repeatability", what, pt, fits[i].median);
}

static void compare_models(
	struct comparing *k, const struct calibration *c, const struct sample_point *pt)
{
	for (size_t i = 0; i < c->nfits; i++) {
		const struct calibration_fit *f = &c->fit[i];
		struct model_case ask = { .bytes = pt->bytes,
			.delay_ns = (double)pt->delay_ns,
			.same_node = k->pair->tier == TIER_NODE };

		/* a model of bursts alone knows no length: bursts judge it */
		if (f->from == k->pair->from && f->to == k->pair->to && f->form == 0 &&
			f->layout == 0 && f->params.model->quantities & 1u << MODEL_MESSAGE)
			add_row(k, f->params.model->name, "round_trip", pt,
				model_predict(&f->params, MODEL_ROUND_TRIP, &ask, NULL));
	}
}

static int compare_pair(struct comparing *k, const struct calibration *c)
{
	struct sample_filter filter = SAMPLE_FILTER_TRUTH;
	struct sample_point *truth, *fits;
	size_t ntruth, nfits;
	int rc = 0;

	filter.from = k->pair->from;
	filter.to = k->pair->to;
	truth = sample_points(c->sample, c->nsamples, &filter, &ntruth, NULL);
	filter.truth = 0;
	fits = sample_points(c->sample, c->nsamples, &filter, &nfits, NULL);
	k->g = (struct loggps){ .s = UINT64_MAX, .S = UINT64_MAX };
	for (size_t i = 0; i < c->nfits; i++)
		if (c->fit[i].from == k->pair->from && c->fit[i].to == k->pair->to &&
			c->fit[i].form == 0 && c->fit[i].params.model == &model_loggps)
			loggps_of(&c->fit[i].params, &k->g);
	if (ntruth == SIZE_MAX || nfits == SIZE_MAX)
		rc = -ENOMEM;
	for (size_t i = 0; rc == 0 && i < ntruth; i++)
		if (truth[i].kind == SAMPLE_RTT || truth[i].kind == SAMPLE_RTT_W) {
			compare_halves(k, "round_trip", &truth[i], fits, nfits);
			compare_models(k, c, &truth[i]);
		}
	free(truth);
	free(fits);
	return rc;
}

/* Do ranks of several hosts take part, if the sample is of a group? */
static bool is_of_hosts(unsigned kind)
{
	return kind == SAMPLE_FLOW || kind == SAMPLE_BROADCAST;
}

/*
 * The samples that a pair's fit sees: its own, and with two_tiers those of the other tier's pairs.
 */
static size_t samples_of_pair(
	const struct calibration *c, const struct calibration_fit *f, struct sample *out)
{
	unsigned same_node = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->npairs; i++)
		if (c->pair[i].from == f->from && c->pair[i].to == f->to)
			same_node = c->pair[i].tier == TIER_NODE;
	for (size_t i = 0; i < c->nsamples; i++) {
		const struct sample *s = &c->sample[i];
		bool own = s->from != s->to  ? s->from == f->from && s->to == f->to :
			is_of_hosts(s->kind) ? !same_node :
					       s->from == f->from;

		if (own ||
			(f->params.model->two_tiers && s->from != s->to &&
				s->same_node != same_node))
			out[n++] = *s;
	}
	return n;
}

/* A transfer of a pattern of two flows, as calibrations measure them; NAN without flow cuts. */
static double predict_flow(const struct model_params *p, const struct sample_point *pt)
{
	/* both flows meet at node 0; the first is the one that is asked for */
	static const int ends[SAMPLE_FLOWS][2][2] = {
		[SAMPLE_FLOW_ALONE] = { { 0, 1 } },
		[SAMPLE_FLOW_OUT] = { { 0, 1 }, { 0, 2 } },
		[SAMPLE_FLOW_IN] = { { 1, 0 }, { 1, 0 } },
		[SAMPLE_FLOW_IN_APART] = { { 1, 0 }, { 2, 0 } },
		[SAMPLE_FLOW_MIXED_IN] = { { 1, 0 }, { 0, 2 } },
		[SAMPLE_FLOW_MIXED_OUT] = { { 0, 2 }, { 1, 0 } },
	};
	struct contention net;
	struct flow flow[2];
	size_t n = pt->flow == SAMPLE_FLOW_ALONE ? 1 : 2;

	contention_of(p, &net);
	if (!contention_known(&net))
		return NAN;
	for (size_t i = 0; i < n; i++)
		flow[i] = (struct flow){
			.from = ends[pt->flow][i][0], .to = ends[pt->flow][i][1], .bytes = pt->bytes
		};
	return contention_run(&net, flow, n) < 0 ? NAN : flow[0].end_ns;
}

/* A broadcast as calibrations measure it: 0 -> 2, then 0 -> 1 and 2 -> 3. */
static double predict_broadcast(const struct model_params *p, const struct sample_point *pt)
{
	const int node_of[] = { 0, (int)pt->count - 1, 1, 0 };
	const struct model_case ask = { .bytes = pt->bytes, .n = 4, .node_of = node_of };

	return pt->count == 2 || pt->count == 3 ? model_predict(p, MODEL_BROADCAST, &ask, NULL) :
						  NAN;
}

/* The name of group samples in the comparison. NULL: the sample is of a pair. */
static const char *group_name(unsigned kind)
{
	return kind == SAMPLE_BURST || kind == SAMPLE_BURST_SEND || is_of_hosts(kind) ?
		sample_kind_name(kind) :
		NULL;
}

/* Rows of one model for what a group of ranks did. */
static void compare_group(struct comparing *k, const struct model_params *p,
	const struct sample_point *truth, size_t ntruth, const struct sample_point *fits,
	size_t nfits)
{
	for (size_t i = 0; i < ntruth; i++) {
		const struct sample_point *pt = &truth[i];
		struct model_case ask = { .bytes = pt->bytes, .n = (int)pt->count };
		enum model_quantity q = pt->kind == SAMPLE_BURST ? MODEL_BURST : MODEL_BURST_SEND;
		const char *name = group_name(pt->kind);
		bool hosts = is_of_hosts(pt->kind);

		if (!name)
			continue;
		if (!hosts)
			add_row(k, p->model->name, name, pt, model_predict(p, q, &ask, NULL));
		else if (p->model == &model_mm)
			add_row(k, p->model->name, name, pt,
				pt->kind == SAMPLE_FLOW ? predict_flow(p, pt) :
							  predict_broadcast(p, pt));
		/* once a pair: with one model of each */
		if (p->model == (hosts ? &model_mm : &model_logfp))
			compare_halves(k, name, pt, fits, nfits);
	}
}

/*
 * Bursts and flows have no samples of their own for the truth: every second repetition is kept out
 * of a fit that is made here and judged by these. 0 or -ENOMEM.
 */
static int compare_groups(
	struct comparing *k, const struct calibration *c, const struct calibration_fit *f)
{
	struct sample_filter filter = SAMPLE_FILTER_TRUTH;
	struct sample *s = malloc((c->nsamples + 1) * sizeof(*s));
	size_t n = s ? samples_of_pair(c, f, s) : 0, ntruth = 0, nfits = 0;
	struct sample_point *truth = NULL, *fits = NULL;
	struct model_findings findings;
	struct model_params p;
	int rc = s ? 0 : -ENOMEM;

	for (size_t i = 0; i < n; i++)
		if (group_name(s[i].kind))
			s[i].truth = s[i].repetition % 2;
	if (rc == 0) {
		rc = model_fit(&p, f->params.model, s, n, &findings);
		truth = sample_points(s, n, &filter, &ntruth, NULL);
		filter.truth = 0;
		fits = sample_points(s, n, &filter, &nfits, NULL);
		if (ntruth == SIZE_MAX || nfits == SIZE_MAX)
			rc = -ENOMEM;
		if (rc == 0)
			compare_group(k, &p, truth, ntruth, fits, nfits);
		model_params_release(&p);
		model_findings_release(&findings);
	}
	free(truth);
	free(fits);
	free(s);
	return rc;
}

/* Has the calibration measured a group of ranks together? */
static bool has_groups(const struct calibration *c)
{
	for (size_t i = 0; i < c->nsamples; i++)
		if (group_name(c->sample[i].kind))
			return true;
	return false;
}

int model_refit(struct calibration *c)
{
	struct sample *s = malloc((c->nsamples + 1) * sizeof(*s));
	int rc = s ? 0 : -ENOMEM;

	for (size_t i = 0; i < c->nfits && rc == 0; i++) {
		struct calibration_fit *f = &c->fit[i];
		const struct model *m = f->params.model;

		if (f->form || f->layout || !m->fit)
			continue;
		model_params_release(&f->params);
		model_findings_release(&f->findings);
		rc = model_fit(&f->params, m, s, samples_of_pair(c, f, s), &f->findings);
	}
	free(s);
	return rc < 0 ? (say_error("out of memory"), -1) : 0;
}

int model_comparison(sqlite3 *db, const struct calibration *c)
{
	struct comparing k = { .rc = 0 };
	int rc = 0;

	k.rc = db_exec_quiet(db,
		"CREATE TABLE comparison (from_rank INTEGER, to_rank INTEGER, tier TEXT,"
		" model TEXT, regime TEXT, bytes INTEGER, delay_ns INTEGER, measured_ns REAL,"
		" predicted_ns REAL, error_pct REAL, what TEXT, hosts INTEGER, flow TEXT)");
	if (!k.rc)
		k.rc = db_prepare(db,
			"INSERT INTO comparison VALUES "
			"(?,?,?,?,?,?,?,?,?,?,?,nullif(?,0),nullif(?,''))",
			&k.insert);
	for (size_t i = 0; i < c->npairs && rc == 0 && !k.rc; i++) {
		k.pair = &c->pair[i];
		rc = compare_pair(&k, c);
		for (size_t j = 0; j < c->nfits && rc == 0 && has_groups(c); j++) {
			const struct calibration_fit *f = &c->fit[j];
			const uint32_t groups = 1u << MODEL_BURST | 1u << MODEL_BROADCAST;

			if (f->from == k.pair->from && f->to == k.pair->to && !f->form &&
				!f->layout && f->params.model->fit &&
				f->params.model->quantities & groups)
				rc = compare_groups(&k, c, f);
		}
	}
	sqlite3_finalize(k.insert);
	if (rc < 0)
		return say_error("out of memory"), -1;
	return k.rc ? (say_error("%s", sqlite3_errmsg(db)), -1) : 0;
}
