/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c: rows of one tier from its measured points; see fit.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/model/live/fit.h"
#include "analysis/model/equations/loggps_fit.h"
#include "analysis/model/models.h"
#include "analysis/model/robust.h"

#define NO_BYTES UINT64_MAX

struct rows {
	struct rec_link *row;
	size_t n, max;
	const struct live_measured *in;
	int rc;
};

/*
 * If the median is this much above the lower quartile, or above the least of a FEW samples, other
 * programs took the CPU.
 */
#define DISTURBED 3.0
#define DISTURBED_NS 2000.0
enum { FEW = 3 };

void live_point_reduce(struct live_point *point, double *ns, size_t n)
{
	double low, spread, limit;

	robust_sort(ns, n);
	point->n = (uint32_t)n;
	point->ns = robust_quantile(ns, n, 0.5);
	robust_median_interval(ns, n, &point->ci_low, &point->ci_high);
	low = n <= FEW ? ns[0] : robust_quantile(ns, n, 0.25);
	spread = robust_quantile(ns, n, 0.75) - low;
	if (point->ns > DISTURBED * low + DISTURBED_NS) {
		point->ns = point->ci_high = low;
		point->ci_low = ns[0];
		spread = low - ns[0];
	}
	limit = fmin(point->ns * 1.2 + 4 * spread + 500, DISTURBED * point->ns + DISTURBED_NS);
	while (n > 1 && ns[n - 1] > limit)
		n--;
	point->noise_ns = fmax(robust_quantile(ns, n, 0.99) - point->ns, 0);
}

struct rec_link live_row(int tier, const char *form, const char *name, uint64_t bytes,
	const char *unit, const char *source)
{
	struct rec_link r = {
		.head = { .type = REC_LINK, .words = sizeof(r) / 8, .id = (uint32_t)tier },
		.peer = -1,
		.model = "LogGPS",
		.bytes = bytes,
		.value = NAN,
		.ci_low = NAN,
		.ci_high = NAN
	};

	snprintf(r.form, sizeof(r.form), "%s", form);
	snprintf(r.name, sizeof(r.name), "%s", name);
	snprintf(r.unit, sizeof(r.unit), "%s", unit);
	snprintf(r.source, sizeof(r.source), "%s", source);
	return r;
}

/* A new row, or a dummy row that is never read if there is no room. */
static struct rec_link *add_row(struct rows *r, const char *form, const char *name, uint64_t bytes,
	const char *unit, double value)
{
	static _Thread_local struct rec_link beyond;
	struct rec_link *row = &beyond;

	if (r->n < r->max)
		row = &r->row[r->n++];
	else
		r->rc = -ENOMEM;
	*row = live_row(r->in->tier, form, name, bytes, unit, r->in->source);
	row->value = value;
	return row;
}

static void add_border(struct rows *r, const char *form, const char *name, uint64_t value,
	const struct live_border *b)
{
	struct rec_link *row = add_row(r, form, name, NO_BYTES, "B", NAN);

	if (b->reason) {
		snprintf(row->reason, sizeof(row->reason), "%s", b->reason);
	} else if (value == NO_BYTES) {
		row->ci_low = (double)b->reach;
		snprintf(row->reason, sizeof(row->reason), "no send of up to %llu B waited",
			(unsigned long long)b->reach);
	} else {
		row->value = row->ci_low = row->ci_high = (double)value;
	}
}

/* LogGPS's own parameters, in the regimes that the probes found. */
static int add_params(struct rows *r)
{
	const struct live_border *b = &r->in->border[0];
	const struct loggps_borders known = { b->S, b->S_p, b->reach };
	struct model_params p;
	struct model_findings f;
	int rc =
		loggps_fit_known(&p, r->in->sample, r->in->nsamples, b->reason ? NULL : &known, &f);

	for (size_t i = 0; rc == 0 && i < p.nvalues; i++) {
		const struct model_value *v = &p.value[i];
		const struct model_param *param = &model_loggps.param[v->param];
		struct rec_link *row;

		if (v->param == LOGGPS_S || v->param == LOGGPS_S_p)
			continue;
		row = add_row(r, "", param->name, v->bytes, param->unit, v->value);
		row->ci_low = v->ci_low;
		row->ci_high = v->ci_high;
		memcpy(row->reason, v->reason, sizeof(row->reason));
	}
	model_params_release(&p);
	model_findings_release(&f);
	return rc;
}

static const struct live_point *point_at(
	const struct live_measured *in, unsigned what, unsigned curve, uint64_t bytes)
{
	for (size_t i = 0; i < in->npoints; i++)
		if (in->point[i].what == what && in->point[i].curve == curve &&
			in->point[i].bytes == bytes)
			return &in->point[i];
	return NULL;
}

/* From calls of several ops: the time that one more op adds, and the overlap of two directions. */
static void add_shared(struct rows *r, const struct live_point *pt)
{
	const struct live_measured *in = r->in;
	const struct live_point *one = point_at(in, LIVE_TOTAL, pt->curve, pt->bytes);
	const struct live_point *in_one = point_at(in, LIVE_TOTAL, LIVE_RECV, pt->bytes);
	double a, b;

	/* long nonblocking sends take as long as blocking ones, and are not measured by themselves
	 */
	if (!one)
		one = point_at(in, LIVE_TOTAL, pt->curve & 3, pt->bytes);
	if (pt->what == LIVE_TRAIN && one && pt->count > 1) {
		double next = (pt->ns - one->ns) / (pt->count - 1);

		add_row(r, (pt->curve & 3) == LIVE_RECV ? "recv" : "send", "next", pt->bytes, "ns",
			next > 0 ? next : 0);
	}
	if (pt->what != LIVE_EXCHANGE || !(one = point_at(in, LIVE_TOTAL, LIVE_SEND, pt->bytes)) ||
		!in_one)
		return;
	a = fmax(one->ns, in_one->ns);
	b = fmin(one->ns, in_one->ns);
	add_row(r, "", "duplex", pt->bytes, "", b > 0 ? fmin(fmax((pt->ns - a) / b, 0), 1) : 0);
}

/* Does a long transfer move while the side that waits computes? */
static void add_async(struct rows *r, unsigned curve)
{
	const struct live_measured *in = r->in;
	const struct live_point *rest = NULL, *total;
	struct rec_link *row;

	for (size_t i = 0; i < in->npoints; i++)
		if (in->point[i].what == LIVE_REST && in->point[i].curve == curve &&
			(!rest || in->point[i].bytes > rest->bytes))
			rest = &in->point[i];
	total = rest ? point_at(in, LIVE_TOTAL, curve, rest->bytes) : NULL;
	if (total && rest->bytes >= 65536) {
		add_row(r, live_curve_name(curve), "async_progress", NO_BYTES, "",
			rest->ns < 0.5 * total->ns);
		return;
	}
	row = add_row(r, live_curve_name(curve), "async_progress", NO_BYTES, "", NAN);
	snprintf(row->reason, sizeof(row->reason), "no time to measure it");
}

enum { NOISE_FORMS = 64 };

/*
 * Noise of a kind's messages of about this length: the upper decile over its forms. The few samples
 * of one form seldom contain a 99th percentile, or consist of outliers only.
 */
static void add_noise(struct rows *r, const struct live_point *pt)
{
	int receives = (pt->curve & 3) == LIVE_RECV;
	double noise[NOISE_FORMS];
	size_t n = 0;

	for (size_t i = 0; i < r->in->npoints && n < NOISE_FORMS; i++) {
		const struct live_point *other = &r->in->point[i];

		if (other->what <= LIVE_REST && ((other->curve & 3) == LIVE_RECV) == receives &&
			other->bytes <= 2 * pt->bytes && 2 * other->bytes >= pt->bytes)
			noise[n++] = other->noise_ns;
	}
	robust_sort(noise, n);
	add_row(r, live_curve_name(pt->curve), "noise", pt->bytes, "ns",
		robust_quantile(noise, n, 0.9));
}

/* True if it is much slower than a longer message of the same kind: too few samples were on time.
 */
static bool implausible(const struct live_measured *in, const struct live_point *pt)
{
	for (size_t i = 0; i < in->npoints; i++) {
		const struct live_point *other = &in->point[i];

		if (other->what == pt->what && other->curve == pt->curve &&
			other->count == pt->count && other->bytes > pt->bytes &&
			pt->ns > DISTURBED * other->ns + DISTURBED_NS)
			return true;
	}
	return false;
}

int live_fit(const struct live_measured *in, struct rec_link *rows, size_t max, size_t *n)
{
	static const unsigned form[] = { LIVE_SEND, LIVE_ISEND, LIVE_SEND_INIT };
	struct rows r = { rows, 0, max, in, 0 };
	struct live_base base;
	int rc = add_params(&r);

	if (rc != 0)
		return rc;
	add_border(&r, "", "S", in->border[0].S, &in->border[0]);
	add_border(&r, "", "S_p", in->border[0].S_p, &in->border[0]);
	for (int i = 1; i < 3; i++) {
		const struct live_border *b = &in->border[i];

		if (b->reason)
			continue;
		add_border(&r, live_curve_name(form[i]), "S", b->S, b);
		add_border(&r, live_curve_name(form[i]), "S_p", b->S_p, b);
	}
	add_async(&r, LIVE_ISEND);
	add_async(&r, LIVE_IRECV);
	memset(&base, 0, sizeof(base));
	rc = live_base_from_rows(rows, r.n, in->tier, &base);
	for (size_t i = 0; i < in->npoints; i++) {
		const struct live_point *pt = &in->point[i];
		const char *name = live_curve_name(pt->curve);
		double ns = pt->ns;
		struct rec_link *row;

		if (implausible(in, pt)) {
			static const char *const parameter[] = { [LIVE_TOTAL] = "residual",
				[LIVE_REST] = "rest",
				[LIVE_TRAIN] = "next",
				[LIVE_EXCHANGE] = "duplex" };

			row = add_row(&r, name, parameter[pt->what], pt->bytes, "ns", NAN);
			snprintf(row->reason, sizeof(row->reason),
				"slower than longer messages: left out");
			continue;
		}
		if (pt->what > LIVE_REST) {
			add_shared(&r, pt);
			continue;
		}
		if (pt->what == LIVE_TOTAL)
			ns -= rc == 0 ? live_base_ns(&base, pt->curve, pt->bytes) : 0;
		row = add_row(&r, name, pt->what == LIVE_TOTAL ? "residual" : "rest", pt->bytes,
			"ns", ns);
		row->ci_low = pt->ci_low + (ns - pt->ns);
		row->ci_high = pt->ci_high + (ns - pt->ns);
		if (pt->what == LIVE_TOTAL && (pt->curve == LIVE_SEND || pt->curve == LIVE_RECV))
			add_noise(&r, pt);
	}
	*n = r.n;
	return r.rc;
}
