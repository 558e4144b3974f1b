/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sentences.c: what the report says, in words. It reads facts, and prints nothing.
 */
#include <config.h>

#include "analysis/report/sentences.h"

#include <ctype.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/blame/history.h"
#include "analysis/text/sql_functions.h"

void say_form(struct text *to, const struct fact *f, const struct form *forms, const char *column)
{
	while (forms->name && !fact_is(f, column, forms->name))
		forms++;
	if (forms->name)
		phrase(to, f, forms->words);
}

const struct cause *cause_of(const struct fact *f)
{
	return cause_find(fact_text(f, "cause"));
}

static void add_duration(struct text *to, double ns)
{
	char duration[32];

	text_add(to, duration_text(ns, duration, sizeof duration));
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

/* At the top: where recording may have changed what was measured. */
void say_overhead_much(struct text *to, const struct fact *f)
{
	if (fact_real(f, "share_pct") > OVERHEAD_PCT)
		phrase(to, f,
			"tryst took {share_pct:0} % of the ranks' time. tryst run --stack-depth 1 "
			"lowers this; so does --max-ops 0, which keeps sums without rows");
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

/* What a rank did: words of facts, from numbers of enum history_what. */
static const char *const doings[] = { [HISTORY_CALL] = "call",
	[HISTORY_COMPUTATION] = "computation",
	[HISTORY_OTHER] = "other",
	[HISTORY_NOT_RECORDED] = "not_recorded",
	[HISTORY_START] = "start" };

static void doing(sqlite3_context *context, int n, sqlite3_value **value)
{
	int64_t what = sqlite3_value_int64(value[0]);

	(void)n;
	if (sqlite3_value_type(value[0]) == SQLITE_NULL || what < 0 || what > HISTORY_START)
		what = HISTORY_NOT_RECORDED;
	sqlite3_result_text(context, doings[what], -1, SQLITE_STATIC);
}

void add_between(struct text *to, const char *place, const char *after)
{
	if (after && place && strcmp(after, place) == 0)
		text_addf(to, " between two calls at %s", place);
	else if (after && place)
		text_addf(to, " between %s and %s", after, place);
	else if (after)
		text_addf(to, " after %s", after);
	else if (place)
		text_addf(to, " before %s", place);
}

/* "computing between b.c:2 and a.c:1", "in MPI_Recv at a.c:1" */
void add_activity(
	struct text *to, const char *doing, const char *call, const char *place, const char *after)
{
	static const char *const names[][2] = { { "computation", "computing" },
		{ "other", "in other calls of MPI" }, { "start", "starting (in MPI_Init)" },
		{ "not_recorded", "in time without rows" } };

	if (strcmp(doing, "call") == 0) {
		text_addf(to, "in %s at %s", call ? call : "the call", place ? place : "unknown");
		return;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(doing, names[i][0]) == 0)
			text_add(to, names[i][1]);
	add_between(to, place, after);
}

/*
 * What the kernel's samples show of an activity: ", 73 % of the CPU time in heavy work.c:7, 11 % of
 * the time without a CPU".
 */
void add_sampled(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"[, {heavy_pct:0} % of the CPU time in {heavy}]"
		"[, {no_cpu_pct:0} % of the time without a CPU]"
		"[, {asleep_pct:0} % of the time asleep or blocked]");
}

void say_activity(struct text *to, const struct fact *f)
{
	add_activity(to, fact_text(f, "doing"), fact_text(f, "call"), fact_text(f, "place"),
		fact_text(f, "after"));
}

static const char *text_of(sqlite3_value *value)
{
	return (const char *)sqlite3_value_text(value);
}

static void activity(sqlite3_context *context, int n, sqlite3_value **value)
{
	struct text text = { 0 };

	(void)n;
	if (text_of(value[0]))
		add_activity(&text, text_of(value[0]), text_of(value[1]), text_of(value[2]),
			text_of(value[3]));
	if (text.failed)
		sqlite3_result_error_nomem(context);
	else
		sqlite3_result_text(context, text.at, -1, SQLITE_TRANSIENT);
	text_release(&text);
}

void say_blame(struct text *to, const struct fact *f)
{
	phrase(to, f, "{blame_ns} ({share_pct:1} %) rank {rank}[ thread {one_thread}] {where}");
	phrase(to, f,
		"[, {heavy_pct:0} % of the CPU time in {heavy}]"
		"[; {at_least|at least |}{no_cpu_ns} of {blame_ns} preempted on {host?its host}]"
		"[; {at_least|at least |}{blocked_outside_ns} of {blame_ns} asleep or blocked]");
	if (20 * fact_int(f, "passed_on_ns") > fact_int(f, "blame_ns"))
		phrase(to, f, "; {passed_on_ns} of it passed on by ranks that waited themselves");
}

void say_blame_missing(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"{ns} more of waiting is in messages without rows: whom it is for is unknown");
}

void say_shorter(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"Other calls took {shorter_ns} less than predicted. This is an error of the "
		"predictions, not a wait.");
}

void say_path_place(struct text *to, const struct fact *f)
{
	say_activity(to, f);
	phrase(to, f, "{is_open| (not returned)|}");
}

void say_path(struct text *to, const struct fact *f)
{
	phrase(to, f,
		"{path_ns} ({share_pct:1?0.0} %) rank{nranks||s} {ranks}[ thread {thread}] "
		"{where}");
	phrase(to, f,
		"[, {heavy_pct:0} % of the CPU time in {heavy}]"
		"[; {at_least|at least |}{no_cpu_ns} of {path_ns} preempted on {host?their hosts}]"
		"[; {at_least|at least |}{blocked_outside_ns} of {path_ns} asleep or blocked]");
	if (20 * fact_int(f, "imbalance_ns") > fact_int(f, "path_ns"))
		phrase(to, f, "; {imbalance_ns} beyond the mean of all ranks");
}

void say_path_limit(struct text *to, const struct fact *f)
{
	phrase(to, f,
		fact_int(f, "of_threads") ?
			"For whom a thread waits of its own rank (joins, barriers of OpenMP) is "
			"not seen: it computes then." :
			"In {call?other calls} ({share_pct:1} %) a rank may have waited for "
			"another one, which is not known: then that one is on the path.");
}

void say_drift(struct text *to, const struct fact *f)
{
	static const struct form begins[] = {
		{ "scale",
			"{tier}: caches hold repeated messages, or memory is busy: of the "
			"calibrated times, messages took and predictions are " },
		{ "scale_next", "{tier}: the same of further ones in one call: " },
		{ "drift", "{tier}: the shortest calls differ from their prediction: " },
		{ NULL, NULL }
	};
	static const struct form parts[] = { { "scale", "{value:g2} from {bytes} to {next_bytes}" },
		{ "scale_next", "{value:g2} from {bytes} to {next_bytes}" },
		{ "drift", "{form} of {bytes} by {first_value:ns} at first, {value:ns} at last" },
		{ "error",
			"{form}: {count:,} calls that "
			"{exact|cannot have waited|only full buffers can have made wait} took "
			"{value:ns} on average instead of {first_value:ns}: "
			"{exact||buffers were full, or }the machine was busy, or it was not when "
			"it was measured; waits of such messages are uncertain" },
		{ NULL, NULL } };

	if (fact_int(f, "continues"))
		text_add(to, ", ");
	else
		say_form(to, f, begins, "name");
	say_form(to, f, parts, "name");
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

bool late_in_turns(const struct fact *f)
{
	return fact_real(f, "in_turns_pct") >= 90;
}

void add_setting(struct text *to, const struct fact *f, int64_t S)
{
	const int64_t setting_bytes = fact_int(f, "setting_bytes");
	const char *setting = fact_text(f, "setting");

	if (setting && setting_bytes > 0)
		text_addf(to, " (set %s%s=%lld, which S follows)",
			islower((unsigned char)*setting) ? "OMPI_MCA_" : "", setting,
			(long long)(S + setting_bytes - fact_int(f, "S")));
	else
		text_add(to, " (no setting is known to move S here; tryst tune tries some)");
}

static void add_prediction_lacks(struct text *to, const char *reason, const char *link_reason)
{
	if (reason && strcmp(reason, "other_worlds") == 0)
		text_add(to, "links to processes of other worlds are not measured");
	else if (reason && strcmp(reason, "calibration_off") == 0)
		text_add(to, "calibrating was switched off");
	else
		text_add(to, "link parameters are missing");
	if (link_reason && reason && strcmp(reason, "no_parameters") == 0)
		text_addf(to, " (%s)", link_reason);
}

void say_prediction_lacks(struct text *to, const struct fact *f)
{
	add_prediction_lacks(to, fact_text(f, "reason"), fact_text(f, "link_reason"));
}

/* prediction_lacks(reason, link_reason), for queries of diff */
static void prediction_lacks(sqlite3_context *context, int n, sqlite3_value **value)
{
	struct text text = { 0 };

	(void)n;
	add_prediction_lacks(&text, (const char *)sqlite3_value_text(value[0]),
		(const char *)sqlite3_value_text(value[1]));
	sqlite3_result_text(context, text.at ? text.at : "", -1, SQLITE_TRANSIENT);
	text_release(&text);
}

int sentences_add(sqlite3 *db)
{
	static const struct db_function functions[] = {
		{ "activity", 4, .call = activity },
		{ "doing", 1, .call = doing },
		{ "prediction_lacks", 2, .call = prediction_lacks },
		{ .name = NULL },
	};

	return db_add_functions(db, functions);
}
