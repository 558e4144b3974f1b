/* SPDX-License-Identifier: BSD-3-Clause */
/* small.c: see small.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/model/small.h"

enum { REPEATS_MIN = 5 }; /* of a median */

/* The median of the shortest plain samples of a kind. */
static double shortest(const struct sample_point *pt, size_t np, enum sample_kind kind)
{
	double *xy = malloc((2 * np + 1) * sizeof(*xy)), ns = NAN;

	if (xy && sample_curve(pt, np, kind, 0, UINT64_MAX, 1, xy, xy + np) > 0)
		ns = xy[np];
	free(xy);
	return ns;
}

/* The time between the messages of a train of `bytes` [ns], or NAN. */
static double gap(const struct sample_point *pt, size_t np, uint64_t bytes)
{
	const struct sample_point *longest = NULL, *shorter = NULL;

	for (size_t i = 0; i < np; i++) {
		if (pt[i].kind != SAMPLE_TRAIN || pt[i].bytes != bytes || pt[i].count == 0)
			continue;
		if (!longest || pt[i].count > longest->count)
			longest = &pt[i];
		if (!shorter || pt[i].count < shorter->count)
			shorter = &pt[i];
	}
	if (!longest)
		return NAN;
	/* two trains: the answer's flight cancels; one: it is a small part of a long train */
	if (longest->count > shorter->count)
		return (longest->median - shorter->median) /
			(double)(longest->count - shorter->count);
	return longest->median / (double)longest->count;
}

struct small_times small_times_of(const struct sample_point *pt, size_t np)
{
	struct small_times t = {
		.half_rtt = shortest(pt, np, SAMPLE_RTT) / 2,
		.o_s = shortest(pt, np, SAMPLE_SEND),
		.o_r = shortest(pt, np, SAMPLE_RECV),
		.g = NAN,
	};
	uint64_t bytes = UINT64_MAX;

	t.o = isnan(t.o_r) ? t.o_s : isnan(t.o_s) ? t.o_r : (t.o_s + t.o_r) / 2;
	for (size_t i = 0; i < np; i++)
		if (pt[i].kind == SAMPLE_TRAIN && pt[i].bytes < bytes)
			bytes = pt[i].bytes;
	t.g = gap(pt, np, bytes);
	return t;
}

int small_latency(struct model_params *p, int param_L, int param_o, int param_one_way, double o,
	double one_way, struct model_findings *f)
{
	double L = one_way - 2 * o;
	const char *reason = NULL;
	int rc;

	if (isnan(L)) {
		reason = "round trips or overheads were not measured";
		rc = model_find_add(f, FINDING_TOO_LITTLE, param_L,
			isnan(one_way) ? SAMPLE_RTT : SAMPLE_SEND, 0, UINT64_MAX,
			"L needs round trips and overheads");
	} else if (L <= 0.02 * one_way) {
		reason = "overheads overlap the delivery: only 2o + L is known";
		rc = model_find_add(f, FINDING_NOT_SEPARABLE, param_L, SAMPLE_RTT, 0, UINT64_MAX,
			"2o + L is %.0f ns, 2o alone %.0f ns", one_way, 2 * o);
		L = NAN;
	} else {
		rc = 0;
	}
	if (rc < 0 || (rc = model_set(p, param_L, MODEL_NO_BYTES, L, NAN, NAN, reason)) < 0 ||
		(rc = model_set(p, param_o, MODEL_NO_BYTES, o, NAN, NAN,
			 isnan(o) ? "no overhead was measured" : NULL)) < 0)
		return rc;
	return model_set(p, param_one_way, MODEL_NO_BYTES, one_way, NAN, NAN,
		isnan(one_way) ? "no round trips" : NULL);
}

size_t small_bursts(
	const struct sample_point *pt, size_t np, enum sample_kind kind, double *P, double *y)
{
	uint64_t bytes = UINT64_MAX;
	size_t n = 0;

	for (size_t i = 0; i < np; i++)
		if (pt[i].kind == kind && pt[i].bytes < bytes)
			bytes = pt[i].bytes;
	/* points are sorted by count before length */
	for (size_t i = 0; i < np; i++)
		if (pt[i].kind == kind && pt[i].bytes == bytes && pt[i].count > 0) {
			P[n] = pt[i].count;
			y[n++] = pt[i].median;
		}
	return n;
}

/* How a finding names a point: by its length, or by the hosts of a burst. */
static void name_point(const struct sample_point *pt, char *text, size_t size)
{
	if (pt->count)
		snprintf(text, size, "to %u hosts", pt->count);
	else
		snprintf(text, size, "of %llu B", (unsigned long long)pt->bytes);
}

int small_report(
	const struct sample_point *pt, size_t np, enum sample_kind kind, struct model_findings *f)
{
	const char *what = kind == SAMPLE_BURST ? "bursts" : "round trips";
	const struct sample_point *before = NULL;
	char name[40], shorter[40];
	int rc = 0;

	for (size_t i = 0; i < np && rc == 0; i++) {
		if (pt[i].kind != kind || pt[i].layout == SAMPLE_STRIDED)
			continue;
		name_point(&pt[i], name, sizeof(name));
		if (pt[i].n < REPEATS_MIN)
			rc = model_find_add(f, FINDING_TOO_LITTLE, -1, kind, pt[i].bytes,
				pt[i].bytes, "%zu %s %s: a median wants %d", pt[i].n, what, name,
				REPEATS_MIN);
		else if (pt[i].ci_high - pt[i].ci_low > 0.2 * pt[i].median)
			rc = model_find_add(f, FINDING_NOISE, -1, kind, pt[i].bytes, pt[i].bytes,
				"%s %s: median %.0f ns, within %.0f to %.0f", what, name,
				pt[i].median, pt[i].ci_low, pt[i].ci_high);
		if (rc == 0 && before && pt[i].ci_high < before->ci_low &&
			pt[i].median < 0.95 * before->median) {
			name_point(before, shorter, sizeof(shorter));
			rc = model_find_add(f, FINDING_NON_MONOTONE, -1, kind, before->bytes,
				pt[i].bytes, "%s %s took %.0f ns, %s %.0f ns", what, name,
				pt[i].median, shorter, before->median);
		}
		before = &pt[i];
	}
	return rc;
}

int small_fit_points(struct model_params *p, const struct sample *s, size_t n,
	enum sample_kind kind, struct model_findings *f,
	int (*fit)(struct model_params *p, const struct sample_point *pt, size_t np,
		struct model_findings *f))
{
	struct sample_filter fits = SAMPLE_FILTER_FITS;
	struct sample_point *pt;
	size_t np;
	int rc = -ENOMEM;

	pt = sample_points(s, n, &fits, &np, NULL);
	if (np == 0)
		return model_find_add(f, FINDING_TOO_LITTLE, -1, kind, 0, UINT64_MAX, "no samples");
	if (pt)
		rc = small_report(pt, np, kind, f);
	if (pt && rc == 0)
		rc = fit(p, pt, np, f);
	free(pt);
	return rc;
}
