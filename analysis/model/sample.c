/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.c: names of samples, and their reduction to quantiles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/model/robust.h"
#include "analysis/model/sample.h"

static const char *const kinds[] = {
	[SAMPLE_RTT] = "rtt",
	[SAMPLE_RTT_W] = "rtt_w",
	[SAMPLE_SEND] = "send",
	[SAMPLE_RECV] = "recv",
	[SAMPLE_POST] = "post",
	[SAMPLE_COMPLETE] = "complete",
	[SAMPLE_TRAIN] = "train",
	[SAMPLE_BURST] = "burst",
	[SAMPLE_BURST_SEND] = "burst_send",
	[SAMPLE_LATE_MATCH] = "late_match",
	[SAMPLE_LATE_PROGRESS] = "late_progress",
	[SAMPLE_OVERLAP] = "overlap",
	[SAMPLE_FLOW] = "flow",
	[SAMPLE_BROADCAST] = "broadcast",
};

static const char *const forms[] = {
	[SAMPLE_ANY_FORM] = "",
	[SAMPLE_SEND_FORM] = "send",
	[SAMPLE_BSEND] = "bsend",
	[SAMPLE_SSEND] = "ssend",
	[SAMPLE_RSEND] = "rsend",
	[SAMPLE_ISEND] = "isend",
	[SAMPLE_IBSEND] = "ibsend",
	[SAMPLE_ISSEND] = "issend",
	[SAMPLE_IRSEND] = "irsend",
	[SAMPLE_SEND_INIT] = "send_init",
	[SAMPLE_BSEND_INIT] = "bsend_init",
	[SAMPLE_SSEND_INIT] = "ssend_init",
	[SAMPLE_RSEND_INIT] = "rsend_init",
	[SAMPLE_RECV_FORM] = "recv",
	[SAMPLE_IRECV] = "irecv",
	[SAMPLE_RECV_INIT] = "recv_init",
};

static const char *const layouts[] = {
	[SAMPLE_ANY_LAYOUT] = "",
	[SAMPLE_CONTIGUOUS] = "contiguous",
	[SAMPLE_STRIDED] = "strided",
};

static const char *const flows[] = {
	[SAMPLE_NO_FLOW] = "",
	[SAMPLE_FLOW_ALONE] = "alone",
	[SAMPLE_FLOW_OUT] = "out",
	[SAMPLE_FLOW_IN] = "in",
	[SAMPLE_FLOW_MIXED_IN] = "mixed_in",
	[SAMPLE_FLOW_IN_APART] = "in_apart",
	[SAMPLE_FLOW_MIXED_OUT] = "mixed_out",
};

_Static_assert(sizeof(kinds) / sizeof(*kinds) == SAMPLE_KINDS, "a name for each kind");
_Static_assert(sizeof(forms) / sizeof(*forms) == SAMPLE_FORMS, "a name for each form");
_Static_assert(sizeof(layouts) / sizeof(*layouts) == SAMPLE_LAYOUTS, "a name for each layout");
_Static_assert(sizeof(flows) / sizeof(*flows) == SAMPLE_FLOWS, "a name for each flow");

static int word_find(const char *const *words, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(words[i], name ? name : "") == 0)
			return i;
	return -1;
}

const char *sample_kind_name(unsigned kind)
{
	return kind < SAMPLE_KINDS ? kinds[kind] : "?";
}

const char *sample_form_name(unsigned form)
{
	return form < SAMPLE_FORMS ? forms[form] : "?";
}

const char *sample_layout_name(unsigned layout)
{
	return layout < SAMPLE_LAYOUTS ? layouts[layout] : "?";
}

const char *sample_flow_name(unsigned flow)
{
	return flow < SAMPLE_FLOWS ? flows[flow] : "?";
}

int sample_kind_by_name(const char *name)
{
	return word_find(kinds, SAMPLE_KINDS, name);
}

int sample_form_by_name(const char *name)
{
	return word_find(forms, SAMPLE_FORMS, name);
}

int sample_layout_by_name(const char *name)
{
	return word_find(layouts, SAMPLE_LAYOUTS, name);
}

int sample_flow_by_name(const char *name)
{
	return word_find(flows, SAMPLE_FLOWS, name);
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Puts repetitions next to each other: samples that agree in all but the value, sorted by value. */
static int sample_order(const void *pa, const void *pb)
{
	const struct sample *a = pa, *b = pb;
	const int by[] = {
		COMPARE(a->kind, b->kind),
		COMPARE(a->form, b->form),
		COMPARE(a->layout, b->layout),
		COMPARE(a->flow, b->flow),
		COMPARE(a->count, b->count),
		COMPARE(a->bytes, b->bytes),
		COMPARE(a->delay_ns, b->delay_ns),
	};

	for (size_t i = 0; i < sizeof(by) / sizeof(*by); i++)
		if (by[i])
			return by[i];
	return COMPARE(a->value_ns, b->value_ns);
}

static int sample_same(const struct sample *a, const struct sample *b)
{
	return a->kind == b->kind && a->form == b->form && a->layout == b->layout &&
		a->flow == b->flow && a->count == b->count && a->bytes == b->bytes &&
		a->delay_ns == b->delay_ns;
}

static int sample_passes(const struct sample *s, const struct sample_filter *f)
{
	return (f->kind < 0 || f->kind == s->kind) && (f->form < 0 || f->form == s->form) &&
		(f->layout < 0 || f->layout == s->layout) && (f->from < 0 || f->from == s->from) &&
		(f->to < 0 || f->to == s->to) && (f->truth < 0 || f->truth == s->truth) &&
		(f->same_node < 0 || f->same_node == s->same_node);
}

/* Is it one of two flows of the same direction? */
static int shares_direction(const struct sample *s)
{
	return s->kind == SAMPLE_FLOW &&
		(s->flow == SAMPLE_FLOW_OUT || s->flow == SAMPLE_FLOW_IN ||
			s->flow == SAMPLE_FLOW_IN_APART);
}

static int by_repetition(const void *pa, const void *pb)
{
	const struct sample *a = pa, *b = pb;

	return a->repetition != b->repetition ? COMPARE(a->repetition, b->repetition) :
						COMPARE(a->value_ns, b->value_ns);
}

/*
 * Keeps the later end of each repetition of two flows in one direction, n samples that agree. A
 * host may send one flow before the other; the first end then says nothing about sharing. Returns
 * how many samples are left, sorted by value.
 */
static size_t keep_last_ends(struct sample *s, size_t n)
{
	size_t kept = 0;

	qsort(s, n, sizeof(*s), by_repetition);
	for (size_t i = 0; i < n; i++)
		if (i + 1 == n || s[i].repetition != s[i + 1].repetition)
			s[kept++] = s[i];
	qsort(s, kept, sizeof(*s), sample_order);
	return kept;
}

/* One point of n sorted samples that agree; `value` has room for n. */
static struct sample_point point_of(const struct sample *s, size_t n, double *value)
{
	struct sample_point p = { .kind = s->kind,
		.form = s->form,
		.layout = s->layout,
		.flow = s->flow,
		.count = s->count,
		.bytes = s->bytes,
		.delay_ns = s->delay_ns,
		.n = n };

	for (size_t i = 0; i < n; i++)
		value[i] = s[i].value_ns;
	p.p10 = robust_quantile(value, n, 0.10);
	p.median = robust_quantile(value, n, 0.50);
	p.p90 = robust_quantile(value, n, 0.90);
	p.p99 = robust_quantile(value, n, 0.99);
	robust_median_interval(value, n, &p.ci_low, &p.ci_high);
	return p;
}

struct sample_point *sample_points(const struct sample *s, size_t n,
	const struct sample_filter *filter, size_t *npoints, size_t *refused)
{
	struct sample *kept = malloc((n ? n : 1) * sizeof(*kept));
	double *value = malloc((n ? n : 1) * sizeof(*value));
	struct sample_point *point = malloc((n ? n : 1) * sizeof(*point));
	size_t nkept = 0, nrefused = 0, np = 0;

	if (kept && value && point) {
		for (size_t i = 0; i < n; i++) {
			if (!sample_passes(&s[i], filter))
				continue;
			if (isfinite(s[i].value_ns) && s[i].value_ns >= 0)
				kept[nkept++] = s[i];
			else
				nrefused++;
		}
		qsort(kept, nkept, sizeof(*kept), sample_order);
		for (size_t i = 0, end; i < nkept; i = end) {
			for (end = i + 1; end < nkept && sample_same(&kept[i], &kept[end]);)
				end++;
			point[np++] = point_of(&kept[i],
				shares_direction(&kept[i]) ? keep_last_ends(&kept[i], end - i) :
							     end - i,
				value);
		}
	} else {
		np = SIZE_MAX;
	}
	if (refused)
		*refused = nrefused;
	*npoints = np;
	free(kept);
	free(value);
	if (np == 0 || np == SIZE_MAX) {
		free(point);
		return NULL;
	}
	return point;
}

/* As a program's plain MPI_Send and MPI_Recv of contiguous data. */
static int point_plain(const struct sample_point *p)
{
	return (p->form == SAMPLE_ANY_FORM || p->form == SAMPLE_SEND_FORM ||
		       p->form == SAMPLE_RECV_FORM) &&
		p->layout != SAMPLE_STRIDED;
}

size_t sample_curve(const struct sample_point *pt, size_t np, enum sample_kind kind, uint64_t low,
	uint64_t high, double scale, double *x, double *y)
{
	size_t n = 0;

	for (size_t i = 0; i < np; i++) {
		if (pt[i].kind != kind || !point_plain(&pt[i]) || pt[i].delay_ns != 0 ||
			pt[i].bytes < low || pt[i].bytes > high || !(pt[i].median > 0))
			continue;
		x[n] = (double)pt[i].bytes;
		y[n++] = pt[i].median * scale;
	}
	return n;
}

int sample_threshold(const struct sample_point *pt, size_t np, enum sample_kind kind,
	uint64_t *local, uint64_t *waits)
{
	int any = 0;

	*local = 0;
	*waits = UINT64_MAX;
	for (size_t i = 0; i < np; i++)
		if (pt[i].kind == kind && point_plain(&pt[i]) && pt[i].delay_ns > 0) {
			any = 1;
			if (pt[i].p10 > 0.5 * (double)pt[i].delay_ns && pt[i].bytes < *waits)
				*waits = pt[i].bytes;
		}
	for (size_t i = 0; i < np; i++)
		if (pt[i].kind == kind && point_plain(&pt[i]) && pt[i].delay_ns > 0 &&
			pt[i].bytes < *waits && pt[i].bytes > *local)
			*local = pt[i].bytes;
	return any ? 0 : -1;
}
