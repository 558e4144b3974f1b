/* SPDX-License-Identifier: BSD-3-Clause */
/* sentences.h: what the report says of facts, in words: the say functions of questions. */
#ifndef TRYST_REPORT_SENTENCES_H
#define TRYST_REPORT_SENTENCES_H

#include "analysis/report/facts.h"

void say_loss(struct text *to, const struct fact *f);
void say_elapsed(struct text *to, const struct fact *f);
void say_overhead(struct text *to, const struct fact *f);
void say_stood_still(struct text *to, const struct fact *f);

/*
 * SQL functions for places where a query still makes a sentence: activity(what, call, place,
 * after), what a rank did at the callsite `place`, or before it and behind `after` (what: enum
 * history_what); measured_ago(age_s, by): "measured 3 days ago by an earlier launch". 0 or an
 * SQLite code.
 */
int sentences_add(sqlite3 *db);

#endif
