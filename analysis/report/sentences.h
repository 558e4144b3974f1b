/* SPDX-License-Identifier: BSD-3-Clause */
/* sentences.h: what the report says of facts, in words: the say functions of questions. */
#ifndef TRYST_REPORT_SENTENCES_H
#define TRYST_REPORT_SENTENCES_H

#include "analysis/report/facts.h"
#include "analysis/report/phrase.h"
#include "analysis/text/causes.h"

/* The share of the ranks' time beyond which the cost of recording is told at the top [%] */
enum { OVERHEAD_PCT = 5 };

/* Words for a name that a query gives: of a cause, a state, a kind. */
struct form {
	const char *name, *words; /* words: see phrase.h */
};

/* The words for the name in `column`; none where `forms`, ended by NULLs, lacks it. */
void say_form(struct text *to, const struct fact *f, const struct form *forms, const char *column);

/* The cause in column `cause`, never NULL. */
const struct cause *cause_of(const struct fact *f);

/* Are ranks late in turns, hardly one more than others? Of the column in_turns_pct. */
bool late_in_turns(const struct fact *f);

/*
 * " (set OMPI_MCA_btl_vader_eager_limit=16440, which S follows)": the variable to set for this S
 * [B], of the columns S, setting and setting_bytes. A setting is named only if S was seen to follow
 * it.
 */
void add_setting(struct text *to, const struct fact *f, int64_t S);

/* "measured 3 days ago by an earlier launch", of the columns age_s and measured_by */
void say_measured_ago(struct text *to, const struct fact *f);

/* hang_words.c: say_pending_why makes the column `why` of what is pending. */
say_function say_pending, say_pending_why, say_wrong_call, say_misfit_receive, say_cycle,
	say_unlike, say_ended_by;

/*
 * What a rank did (the names of doing(), below), "in MPI_Recv at a.c:1"; and where: " between a.c:1
 * and a.c:2", of the callsites before (`place`) and behind (`after`) which it was. NULL: unknown.
 */
void add_activity(
	struct text *to, const char *doing, const char *call, const char *place, const char *after);
void add_between(struct text *to, const char *place, const char *after);

/*
 * Adds what the kernel's samples show of an activity, by the columns of table sampled; nothing
 * where they show nothing.
 */
void add_sampled(struct text *to, const struct fact *f);

/* bottleneck_words.c: say_why and say_late_activity make columns. */
say_function say_bottleneck, say_bottleneck_one_side, say_why, say_late_activity, say_why_line,
	say_remedy_line;

/* Which ranks are late, and where they compute; the work to be balanced there. */
say_function say_who, say_balance;

/* What helps by the cause alone. */
say_function say_remedy_untried, say_remedy_untried_short;

/* worth_words.c: say_remedy makes a column. */
say_function say_worth, say_worth_untold, say_remedy, say_remedy_short, say_bottlenecks_rest,
	say_doubt, say_remedies_doubt, say_verdict_worth;

/* Of queries/patterns.sql; say_pattern makes the column that say_pattern_line says. */
say_function say_pattern, say_pattern_line;

/* Of queries/pattern_first.sql: in the verdict, and the lines of a bottleneck. */
say_function say_verdict_pattern, say_pattern_where, say_pattern_why, say_pattern_do,
	say_pattern_worth;

/* summary_words.c */
say_function say_programs, say_run, say_shared, say_no_processor, say_lost_in_waits,
	say_lost_undoubted, say_slept, say_spawned, say_messages, say_not_received;

/* loss_words.c; proper: not that the job runs, which the summary says, or what it has just begun */
say_function say_loss, say_loss_proper;

/* verdict_words.c */
say_function say_outlook, say_outlook_end, say_verdict, say_verdict_one_side, say_besides,
	say_unconfirmed;

/* sentences.c */
say_function say_elapsed, say_overhead, say_overhead_much, say_stood_still, say_link, say_blame,
	say_blame_missing, say_path, say_path_limit, say_path_place, say_drift, say_activity,
	say_shorter, say_prediction_lacks;

/*
 * SQL functions: doing(what), the name of an enum history_what; and for places that need words:
 * activity(doing, call, place, after), what a rank did; prediction_lacks(reason, link_reason), of
 * queries/unpredicted.sql. 0, or a negative errno.
 */
int sentences_add(sqlite3 *db);

#endif
