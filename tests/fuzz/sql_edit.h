/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sql_edit.h: wrong values in a database in which SQLite finds nothing wrong; what the targets
 * share whose inputs are lists of such edits.
 */
#ifndef TRYST_SQL_EDIT_H
#define TRYST_SQL_EDIT_H

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const char *const sql_edit_values[] = {
	"NULL",
	"''",
	"0",
	"-1",
	"1",
	"4040",
	"4294967296",
	"9223372036854775807",
	"-9223372036854775808",
	"1e308",
	"-1e308",
	"9e999",
	"-9e999",
	"1e-300",
	"0.5",
	"'riddle'",
	"'send'",
	"'irsend'",
	"'strided'",
	"'LogGPS'",
	"'PLogP'",
	"'MM'",
	"'S'",
	"'knee'",
	"'L'",
	"'node'",
	"'network'",
	"'rtt'",
	"'burst'",
	"'train'",
	"'flow'",
	"'mixed_out'",
	"'12abc'",
	"x'00ff00'",
	"zeroblob(100)",
	"printf('%0*d', 5000, 7)",
	"4294967295",
	"2147483647",
	"-2147483648",
	"1 << 40",
	"1 << 62",
};

/*
 * Names that programs may choose: a title and a line for the terminal, C1, no UTF-8, a direction, a
 * formula.
 */
#define SQL_EDIT_NAME                                                                              \
	"'=n' || char(27) || ']0;own' || char(7, 10) || 'Nothing was lost.' || char(155) || "      \
	"CAST(x'ff1bc3' AS TEXT)"                                                                  \
	" || char(8238) || '\"\\,'"

/* Instead of a value: what else can happen to a table, %s. */
static const char *const sql_edit_others[] = {
	"DROP TABLE %s",
	"DELETE FROM %s",
	"INSERT OR IGNORE INTO %s SELECT * FROM %s",
	"ALTER TABLE %s RENAME TO other",
	"CREATE TRIGGER t BEFORE INSERT ON %s BEGIN SELECT 1; END",
};

enum {
	SQL_EDIT_VALUES = sizeof(sql_edit_values) / sizeof(*sql_edit_values),
	SQL_EDIT_OTHERS = sizeof(sql_edit_others) / sizeof(*sql_edit_others),
	SQL_EDITS = SQL_EDIT_VALUES + SQL_EDIT_OTHERS
};

/* Rows of `where` get the value of an SQL expression. Returns an SQLite code. */
static inline int sql_edit_set(
	sqlite3 *db, const char *table, const char *column, const char *where, const char *value)
{
	char sql[512];

	snprintf(
		sql, sizeof(sql), "UPDATE OR IGNORE %s SET %s = %s%s", table, column, value, where);
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/* Edit `what` of SQL_EDITS; `where` is "" or begins with " WHERE". Returns an SQLite code. */
static inline int sql_edit(
	sqlite3 *db, const char *table, const char *column, const char *where, unsigned what)
{
	char sql[512];

	const char *other, *at, *second;

	if (what < SQL_EDIT_VALUES)
		return sql_edit_set(db, table, column, where, sql_edit_values[what]);
	other = sql_edit_others[what - SQL_EDIT_VALUES];
	at = strstr(other, "%s");
	second = strstr(at + 2, "%s");
	snprintf(sql, sizeof(sql), "%.*s%s%.*s%s", (int)(at - other), other, table,
		(int)(second ? second - at - 2 : (long)strlen(at + 2)), at + 2,
		second ? table : "");
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

#endif
