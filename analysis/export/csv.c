/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c: a run as a directory of CSV files (RFC 4180), one for each table and view. */
#include <config.h>

#include "analysis/export/export.h"
#include "analysis/text/out_file.h"
#include "analysis/text/progress.h"
#include "analysis/text/table.h"
#include "analysis/merge/queries.h"
#include "analysis/merge/tables_doc.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "analysis/format/db/db.h"

static int write_table(
	struct export_run *run, const char *dir, const char *name, enum table_format format)
{
	char path[PATH_MAX], sql[256];
	sqlite3_stmt *s = NULL;
	struct out_file out;
	int step, rc;

	if (snprintf(path, sizeof path, "%s/%s.csv", dir, name) >= (int)sizeof path)
		return -ENAMETOOLONG;
	sqlite3_snprintf(sizeof sql, sql, "SELECT * FROM \"%w\"", name);
	step = db_prepare(run->db, sql, &s);
	if (step)
		return db_say(run->db, step, "read", run->say);
	rc = out_file_open(&out, path, run->say);
	if (rc == 0) {
		if (table_print(out.stream, s, format, 0, NULL) < 0) {
			rc = db_last_error(run->db);
			rc = db_say(run->db, rc ? rc : -ENOMEM, "read", run->say);
		}
		rc = out_file_close(&out, rc);
	}
	sqlite3_finalize(s);
	return rc;
}

static int write_tables(struct export_run *run, const char *dir, enum table_format format)
{
	sqlite3_stmt *s;
	int rc = 0, step = db_prepare(run->db, sql_merge_named_tables, &s);
	uint64_t n = 0, all = 0;

	if (step)
		return db_say(run->db, step, "read", run->say);
	while (db_step(s) > 0)
		all++;
	sqlite3_reset(s);
	while (!rc && (step = db_step(s)) > 0) {
		progress("writing table", n++, all);
		rc = write_table(run, dir, (const char *)sqlite3_column_text(s, 0), format);
	}
	sqlite3_finalize(s);
	return rc ? rc : step ? db_say(run->db, step, "read", run->say) : 0;
}

static int write_csv(struct export_run *run, const char *dir)
{
	return write_tables(run, dir, TABLE_CSV);
}

static int write_spreadsheet(struct export_run *run, const char *dir)
{
	return write_tables(run, dir, TABLE_SPREADSHEET);
}

const struct export_format export_csv = { .name = "csv",
	.suffix = ".csv",
	.is_directory = true,
	.write = write_csv };
const struct export_format export_spreadsheet = { .name = "spreadsheet",
	.suffix = ".csv",
	.is_directory = true,
	.write = write_spreadsheet };
