/* SPDX-License-Identifier: BSD-3-Clause */
/* loggps_fit.h: from samples to LogGPS parameters. */
#ifndef TRYST_MODEL_EQUATIONS_LOGGPS_FIT_H
#define TRYST_MODEL_EQUATIONS_LOGGPS_FIT_H

#include "analysis/model/equations/loggps.h"
#include "analysis/model/model.h"

/* Parameters of model_loggps, in the order of its table. */
enum loggps_param {
	LOGGPS_L,
	LOGGPS_o,
	LOGGPS_o_diff,
	LOGGPS_one_way,
	LOGGPS_rendezvous,
	LOGGPS_O_ss,
	LOGGPS_O_rs,
	LOGGPS_G_s,
	LOGGPS_O_sl,
	LOGGPS_O_rl,
	LOGGPS_G_l,
	LOGGPS_O_sr,
	LOGGPS_O_rr,
	LOGGPS_G_r,
	LOGGPS_sum_s,
	LOGGPS_sum_l,
	LOGGPS_sum_r,
	LOGGPS_jump_l,
	LOGGPS_s,
	LOGGPS_S,
	LOGGPS_S_p,
	LOGGPS_r_p,
	LOGGPS_r_r,
	LOGGPS_knees_sr,
	LOGGPS_idle,
	LOGGPS_idle_k,
	LOGGPS_knee,
	LOGGPS_PARAMS
};

#define LOGGPS_BYTES_HIGH 1.8446744073709552e19 /* no border seen */

/* The typed parameters behind the list, completed. */
void loggps_of(const struct model_params *p, struct loggps *g);

/* Thresholds that a probe found to the byte, with no samples that show them. */
struct loggps_borders {
	uint64_t S, S_p; /* UINT64_MAX: no length up to `reach` waits */
	uint64_t reach;
};

/*
 * The `fit` of model_loggps, `known` NULL or as for loggps_fit_known(). It takes S and S_p from
 * late receivers (else S from a jump of the round trip), and s from a break of the round trip below
 * S. Round trips give the sums of slopes, one_way and rendezvous. Round trips with a long w give o
 * (else sends and receives do). Sends and receives give O. L and G are the rest.
 */
int loggps_fit_samples(struct model_params *p, const struct sample *s, size_t n,
	const struct loggps_borders *known, struct model_findings *f);

/*
 * model_fit() of model_loggps where thresholds are known: regimes end at them, and no s is beyond
 * S. `known` NULL: as model_fit().
 */
int loggps_fit_known(struct model_params *p, const struct sample *s, size_t n,
	const struct loggps_borders *known, struct model_findings *f);

#endif
