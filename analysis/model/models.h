/* SPDX-License-Identifier: BSD-3-Clause */
/* models.h: the models that models.c lists. A new one: a file, a line here, a line there. */
#ifndef TRYST_MODELS_H
#define TRYST_MODELS_H

#include "analysis/model/model.h"

extern const struct model model_logp, model_loggp_1, model_loggp_2, model_loggps, model_plogp;
extern const struct model model_logfp, model_lop, model_loghssp, model_mm;
extern const struct model model_am_simple, model_am_t, model_am_ta, model_am_rta, model_am_rat;

#endif
