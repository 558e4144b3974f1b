/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ranges.c: each row of the table of ranges finds what is out of its range, and nothing else.
 * Each column has a row.
 */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/db/ranges.h"

static sqlite3 *db;
static char what[256];

/* What these ranges say of all rows. */
static int check_all(sqlite3 *of, const struct db_range *ranges)
{
	struct db_ranges_query query;
	int rc;

	*what = '\0';
	CU_ASSERT_EQUAL_FATAL(db_ranges_prepare(of, ranges, false, &query), 0);
	rc = db_ranges_check(&query, -1, what, sizeof(what));
	db_ranges_release(&query);
	return rc;
}

/* A table with this column alone and one value in it. Returns what the row alone says of it. */
static int check(const struct db_range *r, const char *value)
{
	const struct db_range rows[] = { *r, { NULL, NULL, NULL, 0, 0, 0, 0, 0 } };
	char sql[400], key[40] = "";

	if (r->key)
		snprintf(key, sizeof(key), "%s", r->key);
	key[strcspn(key, "*")] = '\0';
	snprintf(sql, sizeof(sql),
		"DROP TABLE IF EXISTS %s; CREATE TABLE %s (key, \"%s\");"
		" INSERT INTO %s VALUES ('%s', %s)",
		r->table, r->table, r->column, r->table, key, value);
	CU_ASSERT_EQUAL_FATAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	return check_all(db, rows);
}

/* The same of a value in the bits that the row tells of. */
static int check_value(const struct db_range *r, int64_t value)
{
	char text[60];

	snprintf(text, sizeof(text), "%lld", (long long)(value << r->shift));
	return check(r, text);
}

static void limits_are_in_range_and_what_is_beyond_them_is_not(void)
{
	for (const struct db_range *r = db_ranges; r->table; r++) {
		CU_ASSERT_EQUAL(check(r, "NULL"), 0);
		CU_ASSERT_EQUAL(check_value(r, r->least), 0);
		CU_ASSERT_EQUAL(check_value(r, r->most), 0);
		/* fewer bits than the limit leaves: there is no value below */
		if (r->mask <= 0 || r->least > 0) {
			CU_ASSERT_EQUAL(check_value(r, r->least - 1), -EINVAL);
			CU_ASSERT_PTR_NOT_NULL(strstr(what, r->table));
			CU_ASSERT_PTR_NOT_NULL(strstr(what, r->column));
		}
		if (r->most < INT64_MAX)
			CU_ASSERT_EQUAL(check_value(r, r->most + 1), -EINVAL);
	}
}

static void other_keys_are_not_looked_at(void)
{
	const struct db_range size = { "run", "value", "other", 0, 0, 1, 2, 0 };

	CU_ASSERT_EQUAL(check(&size, "3"), -EINVAL);
	CU_ASSERT_STRING_EQUAL(what, "table run has value 3 of key other, which cannot be");
	CU_ASSERT_EQUAL(
		sqlite3_exec(db, "UPDATE run SET key = 'another'", NULL, NULL, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL(
		check_all(
			db, (const struct db_range[]){ size, { NULL, NULL, NULL, 0, 0, 0, 0, 0 } }),
		0);
}

static void text_is_a_number_as_far_as_it_goes(void)
{
	const struct db_range size = { "run", "value", "world_size", 0, 0, 1, 4, 0 };

	CU_ASSERT_EQUAL(check(&size, "'4'"), 0);
	CU_ASSERT_EQUAL(check(&size, "'many'"), -EINVAL);
	CU_ASSERT_EQUAL(check(&size, "'99999999999999999999999'"), -EINVAL);
	CU_ASSERT_EQUAL(check(&size, "1e300"), -EINVAL);
}

static void one_rank_is_looked_at(void)
{
	static const char insert[] =
		"INSERT INTO run VALUES (0, 'pid', 1), (1, 'pid', -1), (2, 'pid', 3);"
		"INSERT INTO in_call_row (id, call) VALUES ((1 << 40) + 7, 1), ((2 << 40) + 7, "
		"1024)";
	struct db_ranges_query query;
	sqlite3 *of;

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(":memory:", &of), SQLITE_OK);
	CU_ASSERT_EQUAL(db_make_schema(of, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(sqlite3_exec(of, insert, NULL, NULL, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(db_ranges_prepare(of, db_ranges, true, &query), 0);
	CU_ASSERT_EQUAL(db_ranges_check(&query, 0, what, sizeof(what)), 0);
	CU_ASSERT_EQUAL(db_ranges_check(&query, 1, what, sizeof(what)), -EINVAL);
	CU_ASSERT_STRING_EQUAL(what, "table run has value -1 of key pid, which cannot be");
	CU_ASSERT_EQUAL(db_ranges_check(&query, 2, what, sizeof(what)), -EINVAL);
	CU_ASSERT_STRING_EQUAL(what, "table in_call_row has call 1024, which cannot be");
	CU_ASSERT_EQUAL(db_ranges_check(&query, 3, what, sizeof(what)), 0);
	db_ranges_release(&query);
	sqlite3_close(of);
}

/* Two rows whose values stay in their range, and what these add up to does not. */
static void what_rows_add_up_to_has_a_limit(void)
{
	static const struct db_range times[] = { { "cell", "ns", NULL, 0, 0, -80, 80, 100 },
		{ NULL, NULL, NULL, 0, 0, 0, 0, 0 } };
	static const struct db_range keys[] = { { "run", "value", "o*", 0, 0, 0, 80, 100 },
		{ NULL, NULL, NULL, 0, 0, 0, 0, 0 } };

	CU_ASSERT_EQUAL_FATAL(sqlite3_exec(db,
				      "CREATE TABLE cell (ns INTEGER);"
				      "DROP TABLE run; CREATE TABLE run (key, value);"
				      "INSERT INTO cell VALUES (60), (-40), (NULL);"
				      "INSERT INTO run VALUES ('one', 60), ('ops', 40), ('n', 80)",
				      NULL, NULL, NULL),
		SQLITE_OK);
	CU_ASSERT_EQUAL(check_all(db, times), 0);
	CU_ASSERT_EQUAL(check_all(db, keys), 0);
	CU_ASSERT_EQUAL_FATAL(
		sqlite3_exec(db, "UPDATE cell SET ns = ns - 1; UPDATE run SET value = value + 1",
			NULL, NULL, NULL),
		SQLITE_OK);
	CU_ASSERT_EQUAL(check_all(db, times), 0); /* 59 and 41 */
	CU_ASSERT_EQUAL(
		sqlite3_exec(db, "INSERT INTO cell VALUES (1)", NULL, NULL, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL(check_all(db, times), -EINVAL);
	CU_ASSERT_STRING_EQUAL(what, "table cell has ns that add up to 101, which cannot be");
	CU_ASSERT_EQUAL(check_all(db, keys), -EINVAL);
	CU_ASSERT_STRING_EQUAL(
		what, "table run has value that add up to 102 of key o*, which cannot be");
}

/* The largest values in the range: SQLite can add two columns of each row, and parts of waits all.
 */
static void sums_of_what_is_in_range_are_integers(void)
{
	for (const struct db_range *r = db_ranges; r->table; r++) {
		CU_ASSERT(r->adds >= 0 && r->adds <= 9.22e18 / 2);
		if (r->adds > 0)
			CU_ASSERT_EQUAL(r->mask, 0);
		if (r->adds > 0 && r->least < 0)
			CU_ASSERT_EQUAL(r->least, -r->most);
		CU_ASSERT(r->adds <= 0 || (double)r->most <= r->adds);
	}
}

/* Columns that have no range: any value is right, or the code that reads them checks it. */
static bool has_any_value(const char *table, const char *column)
{
	static const char *const any[] = { "op_row", "busy_row", "comm_row.uid", "rma_window.uid",
		"rma_window.disp_unit", "io_file.uid", "io_file.amode", "module_row.base",
		"frame_row.offset", "phase_row.seq", "phase_row.level", "clock.at_ns",
		"match_row.id", "collective_wait_row.id" };
	char name[100];

	snprintf(name, sizeof(name), "%s.%s", table, column);
	for (size_t i = 0; i < sizeof(any) / sizeof(*any); i++)
		if (strcmp(table, any[i]) == 0 || strcmp(name, any[i]) == 0)
			return true;
	return strlen(table) > 5 && strcmp(table + strlen(table) - 5, "_name") == 0;
}

static void every_column_of_integers_has_a_range(void)
{
	static const char columns[] =
		"SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c"
		" WHERE t.type = 'table' AND c.type = 'INTEGER'";
	sqlite3 *empty;
	sqlite3_stmt *s;
	int n = 0;

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(":memory:", &empty), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(db_make_schema(empty, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(empty, columns, -1, &s, NULL), SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW) {
		const char *table = (const char *)sqlite3_column_text(s, 0);
		const char *column = (const char *)sqlite3_column_text(s, 1);
		const struct db_range *r = db_ranges;

		while (r->table && (strcmp(r->table, table) || strcmp(r->column, column)))
			r++;
		if (!r->table && !has_any_value(table, column)) {
			fprintf(stderr, "%s.%s has no range\n", table, column);
			CU_FAIL("a column without a range");
		}
		n++;
	}
	CU_ASSERT(n > 200);
	sqlite3_finalize(s);
	sqlite3_close(empty);
}

static void an_analysis_asks_for_all_but_times_without_a_cpu(void)
{
	size_t left_out = 0;

	for (const struct db_range *r = db_ranges; r != db_ranges_for_analysis(); r++, left_out++)
		CU_ASSERT_STRING_EQUAL(r->table, "off_cpu_row");
	CU_ASSERT_EQUAL(left_out, 7);
	for (const struct db_range *r = db_ranges_for_analysis(); r->table; r++)
		CU_ASSERT_STRING_NOT_EQUAL(r->table, "off_cpu_row");
}

static void every_row_names_a_column_of_the_schema(void)
{
	sqlite3 *empty;

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(":memory:", &empty), SQLITE_OK);
	CU_ASSERT_EQUAL(db_make_schema(empty, NULL), 0);
	CU_ASSERT_EQUAL(check_all(empty, db_ranges), 0);
	/* a name in quotation marks that is no column is taken for a text */
	for (const struct db_range *r = db_ranges; r->table; r++)
		CU_ASSERT_EQUAL(sqlite3_table_column_metadata(empty, "main", r->table, r->column,
					NULL, NULL, NULL, NULL, NULL),
			SQLITE_OK);
	sqlite3_close(empty);
}

static const struct unit_test tests[] = {
	{ "limits are in range, and what is beyond them is not",
		limits_are_in_range_and_what_is_beyond_them_is_not },
	{ "other keys are not looked at", other_keys_are_not_looked_at },
	{ "text is a number as far as it goes", text_is_a_number_as_far_as_it_goes },
	{ "of many ranks one is looked at", one_rank_is_looked_at },
	{ "what rows add up to has a limit", what_rows_add_up_to_has_a_limit },
	{ "sums of what is in range are integers", sums_of_what_is_in_range_are_integers },
	{ "every column of integers has a range", every_column_of_integers_has_a_range },
	{ "every row names a column of the schema", every_row_names_a_column_of_the_schema },
	{ "an analysis asks for all but times without a CPU",
		an_analysis_asks_for_all_but_times_without_a_cpu },
	{ NULL, NULL }
};

int main(void)
{
	int failed;

	if (sqlite3_open(":memory:", &db) != SQLITE_OK)
		return 1;
	failed = unit_main("ranges", tests);
	sqlite3_close(db);
	return failed;
}
