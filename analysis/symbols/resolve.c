/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolve.c: callsites of a database by symbols.c.
 *
 * Frames come ordered by module and offset, so that each module is opened once and a callsite that
 * many ranks share is looked up once.
 */
#include <config.h>

#include "analysis/symbols/resolve.h"
#include "analysis/symbols/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/symbols/queries.h"

static void bind_symbol(sqlite3_stmt *update, const struct symbol *s, sqlite3_stmt *row)
{
	sqlite3_bind_text(update, 1, s->function, -1, SQLITE_STATIC);
	sqlite3_bind_text(update, 2, s->file, -1, SQLITE_STATIC);
	if (s->file)
		sqlite3_bind_int(update, 3, s->line);
	else
		sqlite3_bind_null(update, 3);
	for (int i = 3; i <= 5; i++)
		sqlite3_bind_int64(update, i + 1, sqlite3_column_int64(row, i));
}

/* Names a changed module once; `last` is the one named last. */
static void say_changed(
	const char *path, enum symbol_state state, char *last, size_t size, const struct say *say)
{
	if (state != SYMBOL_CHANGED || strcmp(last, path) == 0)
		return;
	snprintf(last, size, "%s", path);
	say_line(say, "'%s' has changed since the run: its callsites stay unnamed", path);
}

static int resolve_rows(
	struct symbols *symbols, sqlite3_stmt *row, sqlite3_stmt *update, const struct say *say)
{
	char last[4096] = "";
	int rc;

	while ((rc = db_step(row)) > 0) {
		const char *path = (const char *)sqlite3_column_text(row, 0);
		struct symbol s;

		symbols_resolve(symbols, path, (const char *)sqlite3_column_text(row, 1),
			(uint64_t)sqlite3_column_int64(row, 2), &s);
		if (path)
			say_changed(path, s.state, last, sizeof last, say);
		if (!s.function)
			continue;
		bind_symbol(update, &s, row);
		rc = db_execute(update);
		if (rc)
			break;
	}
	return rc;
}

int resolve_callsites(sqlite3 *db, const struct say *say)
{
	struct symbols *symbols = symbols_new();
	sqlite3_stmt *row = NULL, *update = NULL;
	int rc;

	if (!symbols)
		return -ENOMEM;
	rc = db_exec(db, "BEGIN", "begin naming callsites in", say);
	if (rc)
		goto out;
	rc = db_prepare(db, sql_symbols_unnamed, &row);
	if (!rc)
		rc = db_prepare(db, sql_symbols_named, &update);
	if (!rc)
		rc = resolve_rows(symbols, row, update, say);
	sqlite3_finalize(row);
	sqlite3_finalize(update);
	if (rc) {
		say_line(say, "cannot name the callsites: %s", db_reason(db, rc));
		db_exec_quiet(db, "ROLLBACK");
	} else {
		rc = db_exec(db, "COMMIT", "name callsites in", say);
	}
out:
	symbols_free(symbols);
	return rc;
}

int resolve_copy(sqlite3 *from, sqlite3 *to, int32_t rank)
{
	sqlite3_stmt *row = NULL, *update = NULL;
	int rc = db_prepare(from, sql_symbols_names, &row);

	if (!rc)
		rc = db_prepare(to, sql_symbols_named, &update);
	if (!rc)
		sqlite3_bind_int(row, 1, rank);
	while (!rc && (rc = db_step(row)) > 0) {
		for (int i = 0; i < 6; i++)
			sqlite3_bind_value(
				update, i < 3 ? i + 4 : i - 2, sqlite3_column_value(row, i));
		rc = db_execute(update);
	}
	sqlite3_finalize(row);
	sqlite3_finalize(update);
	return rc;
}
