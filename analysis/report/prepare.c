/* SPDX-License-Identifier: BSD-3-Clause */
/* prepare.c: the temporary tables that the sections' questions read. */
#include <config.h>

#include "analysis/report/report.h"

#include <errno.h>

#include "analysis/format/db/db.h"
#include "analysis/report/queries.h"
#include "analysis/report/sentences.h"
#include "analysis/text/sql_functions.h"

/* Empty tables hide those that `tryst analyze` filled: the report sees no analysis. */
static const char one_side_sql[] =
	"CREATE TEMP TABLE match_info AS SELECT * FROM main.match_info WHERE 0;"
	"CREATE TEMP TABLE match_summary AS SELECT * FROM main.match_summary WHERE 0;";

/* Asked one after the other: each makes temporary tables that those behind it read. */
static const char *const first[] = { sql_report_sites, sql_report_times, sql_report_unpredicted,
	sql_report_unblocked, sql_report_at_end, sql_report_summary_parts, sql_report_pending_rows,
	sql_report_time_rows, sql_report_link_rows, sql_report_worth_tables, sql_report_worth_best,
	sql_report_ranks_rows, NULL };
static const char *const behind_hang[] = { sql_report_outlook, sql_report_unconfirmed, NULL };
static const char *const last[] = { sql_report_hedge, sql_report_doubt, sql_report_worth_told,
	sql_report_besides, sql_report_verdict_limits, NULL };

static int prepare_both_sides(sqlite3 *db)
{
	static const char *const bottlenecks[] = { sql_report_bottleneck_groups,
		sql_report_bottleneck_blame, sql_report_bottleneck_advice, sql_report_unhidden,
		sql_report_patterns_rows, NULL };
	int rc = report_prepare_exact(db);

	if (!rc)
		rc = report_sample(db);
	return rc ? rc : facts_make(db, bottlenecks);
}

int report_prepare(sqlite3 *db, bool one_side, bool *analyzed)
{
	int64_t both_sides;
	int rc;

	if (one_side && db_exec_quiet(db, one_side_sql) != 0)
		return -EIO;
	both_sides = db_int(db, sql_report_is_analyzed, -1); /* -1: cannot be read */
	*analyzed = both_sides > 0;
	if (both_sides < 0 || sql_functions_add(db) != 0 || sentences_add(db) != 0)
		return -EIO;
	rc = facts_make(db, first);
	if (!rc)
		rc = report_prepare_hang(db, *analyzed);
	if (!rc)
		rc = facts_make(db, behind_hang);
	if (!rc)
		rc = *analyzed ? prepare_both_sides(db) :
				 db_exec_quiet(db, sql_report_causes_one_side_rows);
	if (!rc)
		rc = facts_make(db, last);
	if (!rc && *analyzed)
		rc = db_exec_quiet(db, sql_report_besides_both_sides);
	if (!rc)
		rc = db_exec_quiet(db, sql_report_no_time);
	return rc ? -EIO : 0;
}
