/* SPDX-License-Identifier: BSD-3-Clause */
/* test_small_file.c: db/small_file.h reads the same rows as SQLite from the same file. */
#include "tests/unit/unit.h"

#include <errno.h>

#include "analysis/format/db/db.h"
#include "analysis/format/db/small_file.h"
#include "tests/unit/scratch.h"

enum { MOST_BYTES = 1 << 26 };

static char dir[PATH_MAX];

/*
 * Tables with and without rowids, of several pages; values of every kind, some longer than a page.
 */
static void make(const char *path, int page_bytes)
{
	sqlite3 *db;

	unlink(path);
	CU_ASSERT_EQUAL_FATAL(db_create(path, 0666, page_bytes, &db, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(
		sqlite3_exec(db,
			"BEGIN;"
			"CREATE TABLE plain (id INTEGER PRIMARY KEY, a, b REAL, c TEXT);"
			"CREATE TABLE keyed (a INTEGER, b TEXT, c, PRIMARY KEY (a, b)) WITHOUT "
			"ROWID;"
			"CREATE TABLE empty (a);"
			"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
			"600) INSERT INTO plain SELECT i * i, CASE i % 5 WHEN 0 THEN NULL WHEN 1 "
			"THEN -i << (i % 60) WHEN 2 THEN i / 7.0 WHEN 3 THEN i % 2 ELSE "
			"zeroblob(i) END, i / 3.0, printf('%0*d', i * i % 3000, i) FROM n;"
			"INSERT INTO plain VALUES (1000000, 1, 2, printf('%0100000d', 1));"
			"INSERT INTO keyed SELECT id, c, a FROM plain; COMMIT",
			NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
}

struct expected {
	sqlite3_stmt *s;
	bool has_id;
	int wrong, rows;
};

static bool is_same(const struct small_value *v, sqlite3_stmt *s, int i)
{
	switch (sqlite3_column_type(s, i)) {
	case SQLITE_INTEGER:
		/* a real that is whole may be stored as an integer, and the other way round */
		return v->kind == VALUE_INTEGER && v->integer == sqlite3_column_int64(s, i);
	case SQLITE_FLOAT:
		return v->kind == VALUE_REAL ? v->real == sqlite3_column_double(s, i) :
					       v->kind == VALUE_INTEGER &&
				(double)v->integer == sqlite3_column_double(s, i);
	case SQLITE_NULL:
		return v->kind == VALUE_NULL;
	default:
		return v->kind ==
			(sqlite3_column_type(s, i) == SQLITE_TEXT ? VALUE_TEXT : VALUE_BLOB) &&
			v->bytes == (uint32_t)sqlite3_column_bytes(s, i) &&
			(!v->bytes || memcmp(v->text, sqlite3_column_blob(s, i), v->bytes) == 0);
	}
}

static int compare_row(void *context, const struct small_row *r)
{
	struct expected *e = context;

	e->rows++;
	if (sqlite3_step(e->s) != SQLITE_ROW) {
		e->wrong++;
		return 0;
	}
	e->wrong += r->n != sqlite3_column_count(e->s);
	for (int i = 0; i < r->n; i++)
		e->wrong += i == 0 && e->has_id ? r->id != sqlite3_column_int64(e->s, 0) :
						  !is_same(&r->value[i], e->s, i);
	return 0;
}

static int root_of(sqlite3 *db, const char *table)
{
	sqlite3_stmt *s;
	int root;

	CU_ASSERT_EQUAL_FATAL(
		sqlite3_prepare_v2(
			db, "SELECT rootpage FROM sqlite_master WHERE name = ?", -1, &s, NULL),
		SQLITE_OK);
	sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
	CU_ASSERT_EQUAL_FATAL(sqlite3_step(s), SQLITE_ROW);
	root = sqlite3_column_int(s, 0);
	sqlite3_finalize(s);
	return root;
}

static void compare(const char *path, const char *table, const char *order, bool has_id, int rows)
{
	struct expected e = { .has_id = has_id };
	struct small_file f;
	sqlite3 *db;
	char sql[80];

	CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &db), SQLITE_OK);
	CU_ASSERT_EQUAL_FATAL(small_file_open(path, MOST_BYTES, &f), 0);
	snprintf(sql, sizeof(sql), "SELECT * FROM %s ORDER BY %s", table, order);
	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &e.s, NULL), SQLITE_OK);
	CU_ASSERT_EQUAL(small_file_each(&f, (uint32_t)root_of(db, table), compare_row, &e), 0);
	CU_ASSERT_EQUAL(e.wrong, 0);
	CU_ASSERT_EQUAL(e.rows, rows);
	sqlite3_finalize(e.s);
	sqlite3_close(db);
	small_file_close(&f);
}

static void rows_are_those_of_sqlite(void)
{
	const char *path = scratch_path(dir, "a.db");

	for (int bytes = 512; bytes <= 65536; bytes *= 8) {
		make(path, bytes);
		compare(path, "plain", "id", true, 601);
		compare(path, "keyed", "a, b", false, 601);
		compare(path, "empty", "a", false, 0);
	}
}

static int stop(void *context, const struct small_row *r)
{
	(void)r;
	return ++*(int *)context == 3 ? 77 : 0;
}

static void reading_stops_where_it_is_told(void)
{
	const char *path = scratch_path(dir, "a.db");
	struct small_file f;
	int rows = 0;

	make(path, 512);
	CU_ASSERT_EQUAL_FATAL(small_file_open(path, MOST_BYTES, &f), 0);
	CU_ASSERT_EQUAL(small_file_each(&f, 1, stop, &rows), 77);
	CU_ASSERT_EQUAL(rows, 3);
	small_file_close(&f);
}

static void what_is_not_the_whole_truth_is_refused(void)
{
	const char *path = scratch_path(dir, "c.db");
	struct small_file f;
	uint8_t *data;
	size_t bytes;

	CU_ASSERT_EQUAL(small_file_open(scratch_path(dir, "none"), MOST_BYTES, &f), -ENOENT);
	make(path, 4096);
	CU_ASSERT_EQUAL(small_file_open(path, 8192, &f), -EFBIG);
	scratch_write(scratch_path(dir, "c.db-journal"), "x", 1);
	CU_ASSERT_EQUAL(small_file_open(path, MOST_BYTES, &f), -EINVAL);
	unlink(scratch_path(dir, "c.db-journal"));
	data = scratch_read(path, &bytes);
	scratch_write(path, data, bytes - 4096);
	CU_ASSERT_EQUAL(small_file_open(path, MOST_BYTES, &f), -EINVAL);
	scratch_write(path, data, 50);
	CU_ASSERT_EQUAL(small_file_open(path, MOST_BYTES, &f), -EINVAL);
	small_file_close(&f);
	free(data);
}

static int touch_row(void *context, const struct small_row *r)
{
	uint64_t *sum = context;

	for (int i = 0; i < r->n; i++)
		for (uint32_t k = 0; k < r->value[i].bytes; k++)
			*sum += (uint8_t)r->value[i].text[k];
	return 0;
}

/* Reading has an end and stays inside the file, whatever the bytes are. */
static void damage_ends_the_reading(void)
{
	const char *good = scratch_path(dir, "a.db"), *path = scratch_path(dir, "b.db");
	uint64_t state = 1, sum = 0;
	uint8_t *data, *copy;
	size_t bytes;

	make(good, 1024);
	data = scratch_read(good, &bytes);
	copy = malloc(bytes);
	for (int i = 0; i < 200; i++) {
		struct small_file f;

		memcpy(copy, data, bytes);
		for (int k = 0; k < 200; k++) {
			state = state * 6364136223846793005ULL + 1442695040888963407ULL;
			copy[100 + (state >> 20) % (bytes - 100)] = (uint8_t)(state >> 12);
		}
		scratch_write(path, copy, bytes);
		CU_ASSERT_EQUAL_FATAL(small_file_open(path, MOST_BYTES, &f), 0);
		for (uint32_t root = 0; root < 8; root++)
			(void)small_file_each(&f, root, touch_row, &sum);
		small_file_close(&f);
	}
	CU_ASSERT(sum > 0);
	free(copy);
	free(data);
}

static const struct unit_test tests[] = { { "rows are those of SQLite", rows_are_those_of_sqlite },
	{ "reading stops where it is told", reading_stops_where_it_is_told },
	{ "what is not the whole truth is refused", what_is_not_the_whole_truth_is_refused },
	{ "damage ends the reading", damage_ends_the_reading }, { NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("store_image", tests);
	scratch_remove(dir);
	return failed;
}
