/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample.c: what the other side did while a message waited, from a sample of them.
 *
 *	match_row --128 blocks, evenly spread--> waited
 *	op_row of run.db, else of the ranks' files --by id--> sample_op
 *	both, and busy_row --> peer_side
 *
 * At most 128 blocks of 64 messages are looked at, so that the report of a long run does
 * not take longer. Blocks, not single rows, because rows of one page are read at once.
 */
#include <config.h>

#include "analysis/report/report.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "record.h"
#include "analysis/format/db/db.h"
#include "analysis/report/queries.h"

enum { FILES_MAX = 64 }; /* of ranks, opened for rows that run.db left out */

_Static_assert(
	MODE_SYNCHRONOUS == 2 && PROTOCOL_RENDEZVOUS == 3, "numbers in queries/sample_*.sql");

/* Where a rank's file was when it was merged, or beside the database that was opened. */
static bool find_file(sqlite3 *db, const char *file, char *path, size_t size)
{
	const char *main_file = sqlite3_db_filename(db, "main"), *name = strrchr(file, '/');
	const char *slash = main_file ? strrchr(main_file, '/') : NULL;

	if (snprintf(path, size, "%s", file) < (int)size && access(path, R_OK) == 0)
		return true;
	return slash &&
		snprintf(path, size, "%.*s%s", (int)(slash + 1 - main_file), main_file,
			name ? name + 1 : file) < (int)size &&
		access(path, R_OK) == 0;
}

/* Rows of one rank's file. One that cannot be read leaves the sample smaller. */
static void take_from(sqlite3 *db, const char *file)
{
	char path[PATH_MAX];

	if (find_file(db, file, path, sizeof path) && db_attach(db, path, "rank_file") == 0 &&
		(db_check_inside(db, "rank_file") != 0 ||
			db_exec_quiet(db, sql_report_sample_take) != 0))
		db_exec_quiet(db, "DETACH rank_file");
}

static int take_missing(sqlite3 *db)
{
	char *file[FILES_MAX];
	sqlite3_stmt *s;
	int n = 0, rc = db_prepare(db, sql_report_sample_files, &s);

	if (rc)
		return rc;
	while (n < FILES_MAX && db_step(s) > 0)
		file[n++] = sqlite3_mprintf("%s", sqlite3_column_text(s, 0));
	rc = db_finalize(s);
	for (int i = 0; i < n; i++) {
		if (file[i])
			take_from(db, file[i]);
		sqlite3_free(file[i]);
	}
	return rc;
}

int report_sample(sqlite3 *db)
{
	int rc = db_exec_quiet(db, sql_report_sample_waited), removed;

	if (!rc)
		rc = take_missing(db);
	if (!rc)
		rc = report_inside_function(db);
	if (rc)
		return rc;
	rc = db_exec_quiet(db, sql_report_sample_sides);
	removed = report_inside_remove(db);
	return rc ? rc : removed;
}
