/* SPDX-License-Identifier: BSD-3-Clause */
/* small.h: what short messages and bursts tell; several models begin with it. */
#ifndef TRYST_SMALL_H
#define TRYST_SMALL_H

#include "analysis/model/model.h"

/* Times of the shortest length measured [ns]; NAN where there is no such sample. */
struct small_times {
	double half_rtt;
	double o_s, o_r; /* the send call, the receive call */
	double o;        /* their mean; the one that is known */
	double g;        /* time a message of a train takes */
};

/* Finds these times in np points, which are as sample_points() makes them. */
struct small_times small_times_of(const struct sample_point *pt, size_t np);

/*
 * Sets o, one_way and L = one_way - 2o. If overheads overlap the delivery, L is left out, with a
 * reason and a finding. Returns 0 or -ENOMEM.
 */
int small_latency(struct model_params *p, int param_L, int param_o, int param_one_way, double o,
	double one_way, struct model_findings *f);

/*
 * Puts medians [ns] of bursts (SAMPLE_BURST, SAMPLE_BURST_SEND) of the shortest length that has
 * bursts into y[], and their numbers of hosts, ascending, into P[]. Both have room for np. Returns
 * the number of medians.
 */
size_t small_bursts(
	const struct sample_point *pt, size_t np, enum sample_kind kind, double *P, double *y);

/*
 * Adds a finding for each point of `kind` with too few repetitions or with repetitions that
 * disagree, and for each that took less time than a shorter one (of bursts: one to fewer hosts).
 * 0 or -ENOMEM.
 */
int small_report(
	const struct sample_point *pt, size_t np, enum sample_kind kind, struct model_findings *f);

/*
 * Runs `fit` on the points of the samples, which it frees, after small_report() of the kind that
 * the model is of; without any points adds a finding. 0 or -ENOMEM.
 */
int small_fit_points(struct model_params *p, const struct sample *s, size_t n,
	enum sample_kind kind, struct model_findings *f,
	int (*fit)(struct model_params *p, const struct sample_point *pt, size_t np,
		struct model_findings *f));

#endif
