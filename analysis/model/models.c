/* SPDX-License-Identifier: BSD-3-Clause */
/* models.c: the table of models, and what is the same for all of them. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/model/model.h"
#include "analysis/model/models.h"

const struct model *const models[] = { &model_logp, &model_loggp_1, &model_loggp_2, &model_loggps,
	&model_plogp, &model_logfp, &model_lop, &model_loghssp, &model_am_simple, &model_am_t,
	&model_am_ta, &model_am_rta, &model_am_rat, &model_mm, NULL };

static const char *const quantities[] = {
	[MODEL_SEND] = "send",
	[MODEL_RECV] = "recv",
	[MODEL_MESSAGE] = "message",
	[MODEL_ROUND_TRIP] = "round_trip",
	[MODEL_SCATTER] = "scatter",
	[MODEL_GATHER] = "gather",
	[MODEL_BURST] = "burst",
	[MODEL_BURST_SEND] = "burst_send",
	[MODEL_BROADCAST] = "broadcast",
};

static const char *const finding_kinds[] = {
	[FINDING_TOO_LITTLE] = "too_little",
	[FINDING_NON_MONOTONE] = "non_monotone",
	[FINDING_OUT_OF_RANGE] = "out_of_range",
	[FINDING_SWITCH] = "switch",
	[FINDING_NOT_SEPARABLE] = "not_separable",
	[FINDING_NOISE] = "noise",
};

_Static_assert(sizeof(quantities) / sizeof(*quantities) == MODEL_QUANTITIES, "a name for each");

const struct model *model_find(const char *name)
{
	for (const struct model *const *m = models; *m; m++)
		if (strcasecmp((*m)->name, name) == 0)
			return *m;
	return NULL;
}

int model_param_find(const struct model *m, const char *name)
{
	for (int i = 0; i < m->nparams; i++)
		if (strcmp(m->param[i].name, name) == 0)
			return i;
	return -1;
}

const char *model_quantity_name(enum model_quantity q)
{
	return (unsigned)q < MODEL_QUANTITIES ? quantities[q] : "?";
}

const char *finding_kind_name(enum finding_kind kind)
{
	return (unsigned)kind < sizeof(finding_kinds) / sizeof(*finding_kinds) ?
		finding_kinds[kind] :
		"?";
}

void model_params_init(struct model_params *p, const struct model *m)
{
	*p = (struct model_params){ .model = m };
}

void model_params_release(struct model_params *p)
{
	free(p->value);
	*p = (struct model_params){ .model = p->model };
}

/* The place of (param, bytes), or for inserting it. Values stay sorted by both. */
static size_t value_place(const struct model_params *p, int param, uint64_t bytes)
{
	size_t i = 0;

	while (i < p->nvalues &&
		(p->value[i].param < param ||
			(p->value[i].param == param && p->value[i].bytes < bytes)))
		i++;
	return i;
}

const struct model_value *model_value(const struct model_params *p, int param, uint64_t bytes)
{
	size_t i = value_place(p, param, bytes);

	if (i < p->nvalues && p->value[i].param == param && p->value[i].bytes == bytes)
		return &p->value[i];
	return NULL;
}

static int params_grow(struct model_params *p)
{
	size_t room = p->room ? 2 * p->room : 16;
	struct model_value *value = realloc(p->value, room * sizeof(*value));

	if (!value)
		return -ENOMEM;
	p->value = value;
	p->room = room;
	return 0;
}

int model_set(struct model_params *p, int param, uint64_t bytes, double value, double ci_low,
	double ci_high, const char *reason)
{
	struct model_value v = {
		.param = param, .bytes = bytes, .value = value, .ci_low = ci_low, .ci_high = ci_high
	};
	size_t i;

	if (param < 0 || param >= p->model->nparams)
		return -EINVAL;
	if (!reason)
		reason = isnan(value) ? "not identified" : "";
	snprintf(v.reason, sizeof(v.reason), "%s", reason);
	i = value_place(p, param, bytes);
	if (i == p->nvalues || p->value[i].param != param || p->value[i].bytes != bytes) {
		if (p->nvalues == p->room && params_grow(p) < 0)
			return -ENOMEM;
		memmove(&p->value[i + 1], &p->value[i], (p->nvalues - i) * sizeof(v));
		p->nvalues++;
	}
	p->value[i] = v;
	return 0;
}

double model_get(const struct model_params *p, int param)
{
	const struct model_value *v = model_value(p, param, MODEL_NO_BYTES);

	return v ? v->value : NAN;
}

double model_get_at(const struct model_params *p, int param, uint64_t bytes)
{
	size_t first = value_place(p, param, 0), end = first, i;
	const struct model_value *a, *b;
	double y;

	while (end < p->nvalues && p->value[end].param == param)
		end++;
	if (end == first)
		return NAN;
	if (end - first == 1)
		return p->value[first].value;
	/* a, b: the two lengths around `bytes`, or the outermost two on its side */
	i = first + 1;
	while (i < end - 1 && p->value[i].bytes < bytes)
		i++;
	a = &p->value[i - 1];
	b = &p->value[i];
	y = a->value +
		(b->value - a->value) * ((double)bytes - (double)a->bytes) /
			((double)b->bytes - (double)a->bytes);
	return y < 0 ? 0 : y;
}

uint32_t model_inputs(const struct model *m, enum model_quantity q)
{
	static const uint32_t inputs[] = {
		[MODEL_SEND] = MODEL_LATE | MODEL_MODE | MODEL_TIER,
		[MODEL_RECV] = MODEL_LATE | MODEL_MODE | MODEL_TIER,
		[MODEL_MESSAGE] = MODEL_LATE | MODEL_MODE | MODEL_TIER,
		[MODEL_ROUND_TRIP] = MODEL_DELAY | MODEL_MODE | MODEL_TIER,
		[MODEL_SCATTER] = MODEL_COUNT,
		[MODEL_GATHER] = MODEL_COUNT,
		[MODEL_BURST] = MODEL_COUNT,
		[MODEL_BURST_SEND] = MODEL_COUNT,
		[MODEL_BROADCAST] = MODEL_NODES,
	};

	_Static_assert(sizeof(inputs) / sizeof(*inputs) == MODEL_QUANTITIES, "of each");
	return m->quantities & 1u << q ? inputs[q] & (m->inputs | MODEL_COUNT | MODEL_NODES) : 0;
}

/* Names a part of the case that the equation does not use, as a reason. NULL: it uses all parts. */
static const char *not_taken(uint32_t taken, const struct model_case *c)
{
	if (c->delay_ns > 0 && !(taken & MODEL_DELAY))
		return "its equation has no delay w";
	if ((c->late_receiver_ns > 0 || c->late_sender_ns > 0) && !(taken & MODEL_LATE))
		return "its equation has no late side";
	if (c->mode != MODEL_STANDARD && !(taken & MODEL_MODE))
		return "its equation is of standard mode";
	return NULL;
}

double model_predict(const struct model_params *p, enum model_quantity q,
	const struct model_case *c, const char **why)
{
	static const char *none;
	double ns;

	why = why ? why : &none;
	*why = NULL;
	if (!(p->model->quantities & 1u << q)) {
		*why = "the model's source does not define it";
		return NAN;
	}
	*why = not_taken(model_inputs(p->model, q), c);
	if (*why)
		return NAN;
	ns = p->model->predict(p, q, c, why);
	if (isnan(ns) && !*why)
		*why = "a parameter that it needs is not known";
	return ns;
}

int model_refuse_out_of_range(struct model_params *p, struct model_findings *f)
{
	for (size_t i = 0; i < p->nvalues; i++) {
		struct model_value *v = &p->value[i];
		const struct model_param *d = &p->model->param[v->param];

		if (isnan(v->value) || (v->value >= d->low && v->value <= d->high))
			continue;
		if (model_find_add(f, FINDING_OUT_OF_RANGE, v->param, d->samples,
			    v->bytes == MODEL_NO_BYTES ? 0 : v->bytes, v->bytes,
			    "the fit gives %s = %g %s, possible are %g to %g", d->name, v->value,
			    d->unit, d->low, d->high) < 0)
			return -ENOMEM;
		snprintf(v->reason, sizeof(v->reason), "fitted %.3g, not within %g to %g", v->value,
			d->low, d->high);
		v->value = v->ci_low = v->ci_high = NAN;
	}
	return 0;
}

/* Impossible times are in no fit. Adds one finding about them for each kind of sample. */
static int report_refused(const struct sample *s, size_t n, struct model_findings *f)
{
	for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++) {
		uint64_t low = UINT64_MAX, high = 0;
		size_t refused = 0;

		for (size_t i = 0; i < n; i++) {
			if (s[i].kind != kind || s[i].truth ||
				(isfinite(s[i].value_ns) && s[i].value_ns >= 0))
				continue;
			refused++;
			low = s[i].bytes < low ? s[i].bytes : low;
			high = s[i].bytes > high ? s[i].bytes : high;
		}
		if (refused &&
			model_find_add(f, FINDING_OUT_OF_RANGE, -1, (enum sample_kind)kind, low,
				high, "%zu samples are below 0 or no number: left out",
				refused) < 0)
			return -ENOMEM;
	}
	return 0;
}

int model_fit(struct model_params *p, const struct model *m, const struct sample *s, size_t n,
	struct model_findings *f)
{
	int rc;

	model_params_init(p, m);
	model_findings_init(f);
	if (!m->fit)
		return -ENOTSUP;
	rc = report_refused(s, n, f);
	if (rc == 0)
		rc = m->fit(p, s, n, f);
	return rc < 0 ? rc : model_refuse_out_of_range(p, f);
}

void model_findings_init(struct model_findings *f)
{
	*f = (struct model_findings){ 0 };
}

void model_findings_release(struct model_findings *f)
{
	free(f->finding);
	model_findings_init(f);
}

int model_find_add(struct model_findings *f, enum finding_kind kind, int param,
	enum sample_kind samples, uint64_t bytes_low, uint64_t bytes_high, const char *format, ...)
{
	struct model_finding *to;
	va_list args;

	if (f->n == f->room) {
		size_t room = f->room ? 2 * f->room : 8;

		to = realloc(f->finding, room * sizeof(*to));
		if (!to)
			return -ENOMEM;
		f->finding = to;
		f->room = room;
	}
	to = &f->finding[f->n++];
	*to = (struct model_finding){ .kind = kind,
		.param = param,
		.samples = samples,
		.bytes_low = bytes_low,
		.bytes_high = bytes_high };
	va_start(args, format);
	vsnprintf(to->text, sizeof(to->text), format, args);
	va_end(args);
	return 0;
}

double model_error_percent(double predicted, double measured)
{
	return 100.0 * (predicted - measured) / measured;
}
