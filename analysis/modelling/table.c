/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c: see table.h. */
#include <config.h>

#include "analysis/text/messages.h"
#include "analysis/text/terminal.h"
#include "analysis/modelling/queries.h"
#include "analysis/modelling/table.h"

#include <stdarg.h>
#include <stdio.h>

#include "analysis/format/db/db.h"

const enum table_format model_formats[] = { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_SPREADSHEET };

int model_print(sqlite3 *db, const struct model_options *o, const char *title, const char *sql)
{
	sqlite3_stmt *s = NULL;
	bool text = model_formats[o->format] == TABLE_TEXT;
	int64_t rows;

	if (db_prepare(db, sql, &s) != 0)
		return say_error("%s", sqlite3_errmsg(db));
	if (text && title)
		printf("%s\n", title);
	rows = table_print(
		stdout, s, model_formats[o->format], text ? columns_to_fit(o->width) : 0, NULL);
	sqlite3_finalize(s);
	if (rows < 0)
		return say_error("%s", sqlite3_errmsg(db));
	if (model_formats[o->format] == TABLE_JSON || text)
		putchar('\n');
	return CMD_OK;
}

sqlite3 *model_memory_db(void)
{
	sqlite3 *db = NULL;

	if (db_open_memory(&db) != 0 || db_exec_quiet(db, sql_modelling_tables) != 0) {
		say_error("out of memory");
		sqlite3_close(db);
		return NULL;
	}
	return db;
}

void model_add_row(sqlite3 *db, const char *table, const char *values, ...)
{
	sqlite3_str *str = sqlite3_str_new(db);
	va_list args;
	char *sql;

	sqlite3_str_appendf(str, "INSERT INTO %s VALUES (", table);
	va_start(args, values);
	sqlite3_str_vappendf(str, values, args);
	va_end(args);
	sqlite3_str_appendall(str, ")");
	sql = sqlite3_str_finish(str);
	if (sql)
		db_exec_quiet(db, sql);
	sqlite3_free(sql);
}
