/* SPDX-License-Identifier: BSD-3-Clause */
/* words.h: what tryst diff says of two runs, in words: the say functions of its questions. */
#ifndef TRYST_DIFF_WORDS_H
#define TRYST_DIFF_WORDS_H

#include "analysis/report/facts.h"

say_function say_side, say_run_time, say_condition, say_scaling, say_scaling_loss, say_other_ranks,
	say_other_programs, say_change;

#endif
