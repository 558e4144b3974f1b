/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sentences.c: what the report says, in words. It reads facts, and prints nothing.
 */
#include <config.h>

#include "analysis/report/sentences.h"

#include "analysis/blame/history.h"
#include "analysis/text/sql_functions.h"

void say_form(struct text *to, const struct fact *f, const struct form *forms, const char *column)
{
	while (forms->name && !fact_is(f, column, forms->name))
		forms++;
	if (forms->name)
		phrase(to, f, forms->words);
}

static void add_duration(struct text *to, double ns)
{
	char duration[32];

	text_add(to, duration_text(ns, duration, sizeof duration));
}

void say_loss(struct text *to, const struct fact *f)
{
	const char *text = fact_text(f, "text");

	text_add(to, text ? text : "the reason of a loss is not known");
}

/* Sums of ranks' and threads' times are longer than the job took. */
void say_elapsed(struct text *to, const struct fact *f)
{
	long long ranks = fact_int(f, "ranks"), threads = fact_int(f, "threads");

	add_duration(to, fact_real(f, "elapsed_ns"));
	text_add(to, " elapsed");
	if (threads > ranks)
		text_addf(to,
			"; all ranks: the sum of %lld threads of %lld rank%s; least and most: the"
			" sum of a rank's threads",
			threads, ranks, ranks == 1 ? "" : "s");
	else if (ranks > 1)
		text_addf(to, "; all ranks: the sum of %lld ranks", ranks);
}

void say_overhead(struct text *to, const struct fact *f)
{
	add_duration(to, fact_real(f, "tool_ns"));
	if (fact_has(f, "share_pct"))
		text_addf(to, " in all, %.2f %%", fact_real(f, "share_pct"));
	else
		text_add(to, " in all, unknown share");
	text_add(to, " of the ranks' run time");
	if (fact_has(f, "init_longer_ns")) {
		text_add(to, "; MPI_Init took ");
		add_duration(to, fact_real(f, "init_longer_ns"));
		text_add(to, " longer");
	}
	if (fact_has(f, "finalize_longer_ns")) {
		text_add(to, ", MPI_Finalize ");
		add_duration(to, fact_real(f, "finalize_longer_ns"));
	}
}

void say_stood_still(struct text *to, const struct fact *f)
{
	if (fact_int(f, "still_ns") > 0)
		text_add(to,
			"late_progress: these had been posted in time, and stood still while a"
			" member computed. MPI_Test there in between helps, or less between post "
			"and MPI_Wait.");
}

void say_link(struct text *to, const struct fact *f)
{
	phrase(to, f, "{tier} (rank{nranks||s} {ranks}[ to hosts like rank {peer}'s], ");
	if (fact_int(f, "unconfirmed")) {
		text_add(to, "unconfirmed, ");
		say_measured_ago(to, f);
		phrase(to, f, "[; {confirmed_by}]");
	} else {
		phrase(to, f, "{source?not measured}");
	}
	phrase(to, f,
		")[; short up to {short_max_bytes:d} B]"
		"[; completes alone up to {local_max_bytes:d} B]"
		"[; eager up to {eager_max_bytes:d} B][; o {o_ns}]"
		"[; one way 2o+L {one_way_ns}][; rendezvous T4+T5 {rendezvous_ns}]"
		"[; {G_s_ns_per_byte:g3} ns/B short][; {G_l_ns_per_byte:g3} ns/B long]"
		"[; unknown: {unknown}]");
}

static const char *text_or(sqlite3_value *value, const char *otherwise)
{
	const char *text = (const char *)sqlite3_value_text(value);

	return text ? text : otherwise;
}

static void return_text(sqlite3_context *context, struct text *text)
{
	sqlite3_result_text(context, text->at ? text->at : "", -1, SQLITE_TRANSIENT);
	text_release(text);
}

/* " between b.c:2 and a.c:1" */
static void say_between(struct text *to, const char *after, const char *place)
{
	if (after && place)
		text_addf(to, " between %s and %s", after, place);
	else if (after)
		text_addf(to, " after %s", after);
	else if (place)
		text_addf(to, " before %s", place);
}

static void activity(sqlite3_context *context, int n, sqlite3_value **value)
{
	static const char *const names[] = { [HISTORY_COMPUTATION] = "computing",
		[HISTORY_OTHER] = "in other calls of MPI",
		[HISTORY_START] = "starting (in MPI_Init)" };
	const char *place = text_or(value[2], NULL);
	int64_t what =
		sqlite3_value_type(value[0]) == SQLITE_NULL ? -1 : sqlite3_value_int64(value[0]);
	struct text text = { 0 };

	(void)n;
	if (what == HISTORY_CALL) {
		text_addf(&text, "in %s at %s", text_or(value[1], "the call"),
			place ? place : "unknown");
	} else {
		const char *name = what > 0 && what <= HISTORY_START ? names[what] : NULL;

		text_add(&text, name ? name : "in time without rows");
		say_between(&text, text_or(value[3], NULL), place);
	}
	return_text(context, &text);
}

void say_measured_ago(struct text *to, const struct fact *f)
{
	static const struct {
		int64_t least_s, unit_s;
		const char *units;
	} ages[] = { { 172800, 86400, "days" }, { 7200, 3600, "hours" }, { 120, 60, "minutes" },
		{ INT64_MIN, 1, "s" } };
	int64_t age_s = fact_int(f, "age_s");
	int i = 0;

	while (age_s < ages[i].least_s)
		i++;
	if (fact_has(f, "age_s"))
		text_addf(to, "measured %lld %s ago", (long long)(age_s / ages[i].unit_s),
			ages[i].units);
	else
		text_add(to, "measured at an unknown time");
	phrase(to, f, " by {measured_by?an earlier launch}");
}

int sentences_add(sqlite3 *db)
{
	static const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
	int code = sqlite3_create_function(db, "activity", 4, flags, NULL, activity, NULL, NULL);

	return code == SQLITE_OK ? sqlite3_create_function(db, "prediction_lacks", 2, flags, NULL,
					   prediction_lacks, NULL, NULL) :
				   code;
}
