/* SPDX-License-Identifier: BSD-3-Clause */
/* after.c: calls that a rank made after its rows were written. */
#include "analysis/format/rows/rows.h"

#include <errno.h>
#include <limits.h>

#include "analysis/format/db/db.h"
#include "analysis/format/rows/queries.h"
#include "analysis/format/run/run_dir.h"
#include "functions.h"
#include "record.h"

/* Enough for a reader to end, and short compared with the end of a process. */
enum { LOCK_WAIT_MS = 500 };

static int add_call(
	sqlite3_stmt *name, sqlite3_stmt *cell, int32_t rank, unsigned fn, uint32_t count)
{
	int rc;

	sqlite3_bind_int64(name, 1, fn);
	sqlite3_bind_text(name, 2, function_name(fn), -1, SQLITE_STATIC);
	rc = db_execute(name);
	if (rc)
		return rc;
	for (int i = 1; i <= sqlite3_bind_parameter_count(cell); i++)
		sqlite3_bind_int64(cell, i, 0);
	sqlite3_bind_int64(cell, 1, rank);
	sqlite3_bind_int64(cell, 3, fn);
	sqlite3_bind_int64(cell, 4, CALLSITE_OTHER);
	sqlite3_bind_int64(cell, 5, count);
	return db_execute(cell);
}

static int add_calls(sqlite3 *db, int32_t rank, const uint32_t *count)
{
	sqlite3_stmt *name = NULL, *cell = NULL;
	int rc = db_prepare_insert(db, DB_INSERT_OR_IGNORE, "call_name", &name);

	if (!rc)
		rc = db_prepare(db, sql_rows_call_cell, &cell);
	for (unsigned fn = 1; !rc && fn < FN_COUNT; fn++)
		if (count[fn])
			rc = add_call(name, cell, rank, fn, count[fn]);
	sqlite3_finalize(name);
	sqlite3_finalize(cell);
	return rc;
}

int rows_add_calls(const char *rank_dir, int32_t rank, uint64_t run_id, const uint32_t *count)
{
	char path[PATH_MAX];
	uint64_t id = 0;
	sqlite3 *db;
	int rc = run_rank_path(rank_dir, rank, "db", path, sizeof(path));

	if (!rc)
		rc = db_open(path, DB_WRITE, &db, NULL);
	if (rc)
		return rc;
	sqlite3_busy_timeout(db, LOCK_WAIT_MS);
	if (db_run_id(db, &id) != 0 || id != run_id)
		rc = -ENOENT;
	if (!rc)
		rc = db_exec(db, "PRAGMA synchronous = OFF; BEGIN IMMEDIATE", "write", NULL);
	if (!rc)
		rc = add_calls(db, rank, count);
	if (!rc)
		rc = db_exec(db, "COMMIT", "write", NULL);
	sqlite3_close(db); /* undoes what was not committed */
	return rc;
}
