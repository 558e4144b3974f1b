/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row of the table of ranges finds what is out of it, and nothing else. */
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
	const struct db_range rows[] = { *r, { NULL, NULL, NULL, 0, 0, 0, 0 } };
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
	const struct db_range size = { "run", "value", "other", 0, 0, 1, 2 };

	CU_ASSERT_EQUAL(check(&size, "3"), -EINVAL);
	CU_ASSERT_STRING_EQUAL(what, "table run has value 3 of key other, which cannot be");
	CU_ASSERT_EQUAL(
		sqlite3_exec(db, "UPDATE run SET key = 'another'", NULL, NULL, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL(
		check_all(db, (const struct db_range[]){ size, { NULL, NULL, NULL, 0, 0, 0, 0 } }),
		0);
}

static void text_is_a_number_as_far_as_it_goes(void)
{
	const struct db_range size = { "run", "value", "world_size", 0, 0, 1, 4 };

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
	{ "every row names a column of the schema", every_row_names_a_column_of_the_schema },
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
