/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling.c: see scaling.h. */
#include <config.h>

#include "analysis/diff/scaling.h"
#include "analysis/diff/queries.h"
#include "analysis/diff/words.h"

#include <errno.h>

#include "analysis/format/db/db.h"

/* Numbers of ranks that text has columns for: the smallest, and the largest of the others. */
enum { SIZES_SHOWN = 2 };

/* Makes view by_size: one row for each place, one column for each size that is shown. */
static int make_columns(sqlite3 *diff)
{
	struct text sql = { 0 };
	sqlite3_stmt *sizes;
	int rc = db_prepare(diff, sql_diff_sizes_shown, &sizes);

	if (rc)
		return rc;
	sqlite3_bind_int(sizes, 1, SIZES_SHOWN - 1);
	text_add(&sql, "CREATE TEMP VIEW by_size AS SELECT ");
	while ((rc = db_step(sizes)) > 0)
		text_addf(&sql, "sum(iif(ranks = %d, rank_ns, 0)) AS \"%d_ns\", ",
			sqlite3_column_int(sizes, 0), sqlite3_column_int(sizes, 0));
	text_add(&sql, "key FROM scaled GROUP BY key");
	sqlite3_finalize(sizes);
	if (!rc)
		rc = sql.failed ? -ENOMEM : db_exec_quiet(diff, sql.at);
	text_release(&sql);
	return rc;
}

int scaling_study(sqlite3 *diff, bool weak)
{
	int rc = db_exec_quiet(diff, sql_diff_same_sites);

	if (!rc)
		rc = db_exec_quiet(diff, sql_diff_scaling_tables);
	if (!rc)
		rc = db_exec_quiet(diff,
			weak ? "INSERT INTO study VALUES (1)" : "INSERT INTO study VALUES (0)");
	if (!rc)
		rc = db_exec_quiet(diff, sql_diff_scaling_parts);
	if (!rc && db_int(diff, "SELECT count(*) FROM size", 0) < 2)
		return -EDOM;
	return rc ? rc : make_columns(diff);
}

const struct section scaling_sections[] = {
	{ .name = "summary",
		.kind = SECTION_LINES,
		.one = { .ask = { { .sql = sql_diff_scaling_runs, .say = { say_side } },
				 { .sql = sql_diff_other_programs,
					 .use = FOR_TEXT,
					 .say = { say_other_programs } } } } },
	{ .name = "verdict",
		.kind = SECTION_LINES,
		.one = { .title = "",
			.ask = { { .sql = sql_diff_scaling_verdict,
				.say = { say_scaling, say_scaling_loss } } } } },
	{ .name = "sizes",
		.one = { .title = "SIZES, times of a rank on average",
			.ask = { { .sql = sql_diff_scaling_sizes } } } },
	{ .name = "waits",
		.empty = "No waits in any run.",
		.one = { .title = "WAITS of a rank by callsite and cause, with the fewest and the "
				  "most ranks; "
				  "lost: share of the largest run",
			.ask = { { .use = FOR_DATA, .sql = sql_diff_scaling_waits },
				{ .use = FOR_TEXT,
					.is_ranking = true,
					.data_only = "key",
					.sql = sql_diff_scaling_waits_text } } } },
	{ .name = "calls",
		.one = { .title = "TIME IN MPI of a rank by callsite, with the fewest and the most "
				  "ranks",
			.ask = { { .use = FOR_DATA, .sql = sql_diff_scaling_calls },
				{ .use = FOR_TEXT,
					.is_ranking = true,
					.data_only = "key",
					.sql = sql_diff_scaling_calls_text } } } },
	{ 0 }
};
