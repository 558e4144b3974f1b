/* SPDX-License-Identifier: BSD-3-Clause */
/* diff.c: copies two runs into one database and compares them there (diff.h). */
#include <config.h>

#include "analysis/diff/diff.h"
#include "analysis/diff/queries.h"
#include "analysis/diff/words.h"
#include "analysis/format/db/db.h"
#include "analysis/report/queries.h"
#include "analysis/text/progress.h"
#include "analysis/text/sql_functions.h"
#include "layouts.h"

/* Table of `diff` and the query of a run that fills it; ?1 is the side. */
struct copy {
	const char *table;
	const char *sql;
};

static const struct copy facts[] = { { "site", sql_diff_sites }, { "held", sql_diff_held },
	{ "cell", sql_diff_calls }, { "cell", sql_diff_times }, { "site", sql_diff_time_sites },
	{ NULL, NULL } };

static const struct copy exact_waits[] = { { "cell", sql_diff_exact_waits },
	{ "cell", sql_diff_collective_waits }, { "slot", sql_diff_slots },
	{ "blame", sql_report_blame_ranks }, { NULL, NULL } };

static const struct copy live_waits[] = { { "cell", sql_diff_live_waits }, { NULL, NULL } };

sqlite3 *diff_open(void)
{
	sqlite3 *db;

	if (db_open_memory(&db) == 0 && db_exec_quiet(db, sql_diff_tables) == 0 &&
		diff_noise_functions(db) == 0 && sql_functions_add(db) == 0)
		return db;
	sqlite3_close(db);
	return NULL;
}

static uint64_t number_of(const struct copy *copies)
{
	uint64_t n = 0;

	while (copies[n].sql)
		n++;
	return n;
}

/* Rows of a query on one database into a table of the other, behind a first column `side`. */
static int copy_rows(sqlite3 *diff, int side, sqlite3 *run, const struct copy *c, sqlite3 **failed)
{
	sqlite3_stmt *read = NULL, *write = NULL;
	int rc, n = 0;

	*failed = run;
	rc = db_prepare(run, c->sql, &read);
	if (!rc) {
		*failed = diff;
		n = sqlite3_column_count(read);
		rc = db_prepare_insert(diff, DB_INSERT, c->table, &write);
	}
	while (!rc && (rc = db_step(read)) > 0) {
		sqlite3_bind_int(write, 1, side);
		for (int i = 0; i < n; i++)
			sqlite3_bind_value(write, i + 2, sqlite3_column_value(read, i));
		rc = db_execute(write);
	}
	if (rc && read && db_last_error(run))
		*failed = run;
	sqlite3_finalize(write);
	sqlite3_finalize(read);
	return rc;
}

static int copy_run(sqlite3 *diff, int side, sqlite3 *run, const char *name, bool both_sides)
{
	sqlite3_stmt *read = NULL, *write = NULL;
	int rc = db_prepare(run, sql_diff_run, &read);

	if (!rc)
		rc = db_prepare_insert(diff, DB_INSERT, "run", &write);
	if (!rc && db_step(read) > 0) {
		sqlite3_bind_int(write, 1, side);
		sqlite3_bind_text(write, 2, name, -1, SQLITE_STATIC);
		sqlite3_bind_value(write, 3, sqlite3_column_value(read, 0));
		sqlite3_bind_value(write, 4, sqlite3_column_value(read, 1));
		sqlite3_bind_int(write, 5, both_sides);
		for (int i = 2; i < 7; i++)
			sqlite3_bind_value(write, 4 + i, sqlite3_column_value(read, i));
		rc = db_execute(write);
	}
	sqlite3_finalize(write);
	sqlite3_finalize(read);
	return rc;
}

int diff_take(
	sqlite3 *diff, int side, sqlite3 *run, const char *name, bool both_sides, sqlite3 **failed)
{
	const struct copy *waits = both_sides ? exact_waits : live_waits;
	const uint64_t nfacts = number_of(facts), all = nfacts + number_of(waits);
	char what[32];
	int rc = db_exec_quiet(diff, "BEGIN");

	*failed = diff;
	snprintf(what, sizeof what, "reading run %d, part", side + 1);
	for (uint64_t i = 0; !rc && i < all; i++) {
		progress(what, i + 1, all);
		rc = copy_rows(
			diff, side, run, i < nfacts ? &facts[i] : &waits[i - nfacts], failed);
	}
	if (!rc)
		rc = copy_run(diff, side, run, name, both_sides);
	if (!rc) {
		*failed = diff;
		rc = db_exec_quiet(diff, "COMMIT");
	}
	return rc;
}

int diff_compare(sqlite3 *diff)
{
	static const char *const steps[] = { sql_diff_relabel, sql_diff_compare, sql_diff_vanished,
		sql_diff_machine, sql_diff_judge };
	const size_t n = sizeof steps / sizeof *steps;
	int rc = db_exec_quiet(diff, sql_diff_same_sites);

	if (!rc)
		rc = diff_pair_sites(diff);
	for (size_t i = 0; !rc && i < n; i++) {
		progress("comparing, step", i + 1, n);
		rc = db_exec_quiet(diff, steps[i]);
	}
	return rc;
}

const struct section diff_sections[] = {
	{ .name = "summary",
		.kind = SECTION_LINES,
		.one = { .ask = { { .sql = sql_diff_summary, .say = { say_side } },
				 { .sql = sql_diff_other_ranks,
					 .use = FOR_TEXT,
					 .say = { say_other_ranks } },
				 { .sql = sql_diff_other_programs,
					 .use = FOR_TEXT,
					 .say = { say_other_programs } } } } },
	{ .name = "run",
		.kind = SECTION_LINES,
		.one = { .title = "",
			.ask = { { .sql = sql_diff_run_time, .say = { say_run_time } } } } },
	{ .name = "verdict",
		.kind = SECTION_LINES,
		.one = { .title = NULL,
			.ask = { { .sql = sql_diff_verdict, .use = FOR_DATA },
				{ .sql = sql_diff_verdict_parts,
					.use = FOR_TEXT,
					.say = { say_change } } } } },
	{ .name = "conditions",
		.kind = SECTION_LINES,
		.one = { .title = NULL,
			.ask = { { .sql = sql_diff_conditions, .say = { say_condition } } } } },
	{ .name = "time",
		.one = { .title = "TIME, the sum of all ranks and their threads",
			.ask = { { .use = FOR_DATA, .sql = sql_diff_changed_times },
				{ .use = FOR_TEXT, .sql = sql_diff_changed_times_text } } } },
	{ .name = "waits",
		.empty = "No waits in either run.",
		.one = { .title = "WAITS by callsite and cause",
			.ask = { { .use = FOR_DATA,
					 .is_ranking = true,
					 .sql = sql_diff_changed_waits },
				{ .use = FOR_TEXT,
					.is_ranking = true,
					.sql = sql_diff_changed_waits_text } } } },
	{ .name = "blame",
		.one = { .title = "BLAME by rank: for whom the others wait, and what it does "
				  "instead",
			.ask = { { .is_ranking = true, .sql = sql_diff_blame } } } },
	{ .name = "calls",
		.one = { .title = "TIME IN MPI by callsite",
			.ask = { { .use = FOR_DATA,
					 .is_ranking = true,
					 .sql = sql_diff_changed_calls },
				{ .use = FOR_TEXT,
					.is_ranking = true,
					.sql = sql_diff_changed_calls_text } } } },
	{ 0 }
};
