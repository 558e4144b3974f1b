/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plogp.h: PLogP, whose overheads and gap are functions of the length, a set for each ordered pair.
 *
 * Source: CPM (heterogeneous PLogP). The fit is Kielmann's, for a round trip whose answer has the
 * message's length: L + g(M) = RTT(M) / 2, L = RTT(0) / 2 - g(0), g(0) from a train.
 * L + g(M) is kept as one_way(M) because it is known also where L is not.
 */
#ifndef TRYST_MODEL_EQUATIONS_PLOGP_H
#define TRYST_MODEL_EQUATIONS_PLOGP_H

#include "analysis/model/model.h"

enum plogp_param { PLOGP_L, PLOGP_o_s, PLOGP_o_r, PLOGP_g, PLOGP_one_way, PLOGP_PARAMS };

/*
 * LogP or LogGP-1 (as `to` is initialised) from PLogP: L = L + g(1) - o_s(1) - o_r(1), o = (o_s(1)
 * + o_r(1)) / 2, g = g(1), G = g(Mmax) / Mmax. An L below 0 is NAN with the reason; where PLogP's
 * own L is not known, G is (L + g(Mmax)) / Mmax, which is ours. 0, -ENOMEM, -EINVAL where the
 * models are not these.
 */
int plogp_convert(const struct model_params *plogp, struct model_params *to);

/*
 * A model of each ordered pair of n processes: pair[i * n + j] for messages from i to j; i = j is
 * not used. All have one model: PLogP, or LogGP, converted or fitted.
 */
struct plogp_pairs {
	int n;
	const struct model_params *pair;
};

/*
 * Linear scatter or gather (q) of `bytes` [ns] as the source predicts it, homogeneously: PLogP's
 * L + (n - 1) g(M), LogGP's L + 2o + (n - 1)(M - 1) G + (n - 2) g. The source
 * does not say how it gets one set of parameters from all pairs; we take their means. The equations
 * are linear, so the result is the mean of the pairs' predictions. If a pair has no prediction, the
 * result is NAN, and *why is set.
 */
double plogp_pairs_linear(
	const struct plogp_pairs *p, enum model_quantity q, uint64_t bytes, const char **why);

#endif
