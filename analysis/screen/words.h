/* SPDX-License-Identifier: BSD-3-Clause */
/* words.h: the bars of the screen, and its sentences, which are shorter than the report's. */
#ifndef TRYST_SCREEN_WORDS_H
#define TRYST_SCREEN_WORDS_H

#include "analysis/report/facts.h"

/* Of the columns of queries kinds, ranks and sizes. Lines are printed as they are. */
say_function say_kind_bar, say_rank_bar, say_size_bar;

/* Of the columns of report/queries/bottlenecks.sql: a line each. */
say_function say_where_short, say_why_short, say_do_short, say_worth_short;

/* Of the columns of report/queries/trust.sql and report/queries/ask_next.sql. */
say_function say_trust, say_next;

#endif
