/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_pages.c: db/pages.h reads the same rows as SQLite from the same file. */
#include "tests/unit/unit.h"

#include <errno.h>

#include "analysis/format/db/db.h"
#include "analysis/format/db/pages.h"
#include "tests/unit/scratch.h"

enum { ROWS = 20000, COLUMNS = 15 };

static char dir[PATH_MAX];

/* Ids far apart, values of every width and sign, NULLs. */
static void make(const char *path, int page_bytes)
{
	sqlite3 *db;

	unlink(path);
	CU_ASSERT_EQUAL_FATAL(db_create(path, 0666, page_bytes, &db, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(db_make_schema(db, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(sqlite3_exec(db,
				      "BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
				      " SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO op_row "
				      "SELECT (i << 28) + i, i % 2, i % 3 - 1, i << (i % 48), -(1 "
				      "<< (i % 62)), nullif(i % 5, 0), NULL, -i, (i % 2) << 62, 1, "
				      "0, -1, 127, -129, 32768 FROM n; INSERT INTO busy_row VALUES "
				      "(7, 8, 9, 1); COMMIT",
				      NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
}

/* Rows after `after`, in chunks, are those of the statement. */
static void compare(const char *path, const char *table, int columns, int64_t after, uint32_t chunk)
{
	struct pages_file f;
	struct pages_cursor c;
	struct row *row = calloc(chunk, sizeof(*row));
	uint32_t got = chunk, wrong = 0;
	sqlite3_stmt *s;
	sqlite3 *db;
	char sql[80];

	CU_ASSERT_EQUAL_FATAL(db_open(path, DB_READ, &db, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(pages_open(path, &f), 0);
	snprintf(sql, sizeof(sql), "SELECT * FROM %s WHERE id > ? ORDER BY id", table);
	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	sqlite3_bind_int64(s, 1, after);
	pages_seek(&c, pages_root(&f, table), after);
	while (got == chunk) {
		CU_ASSERT_EQUAL_FATAL(pages_read(&f, &c, columns, row, chunk, &got), 0);
		for (uint32_t i = 0; i < got; i++) {
			wrong += sqlite3_step(s) != SQLITE_ROW;
			for (int k = 0; k < columns && k < sqlite3_column_count(s); k++)
				wrong += row[i].value[k] !=
					(sqlite3_column_type(s, k) == SQLITE_NULL ?
							ROW_NULL :
							sqlite3_column_int64(s, k));
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(sqlite3_step(s), SQLITE_DONE);
	sqlite3_finalize(s);
	pages_close(&f);
	sqlite3_close(db);
	free(row);
}

static void tables_read_as_through_sqlite(void)
{
	const char *path = scratch_path(dir, "a.db");

	for (int bytes = 512; bytes <= 65536; bytes *= 8) {
		make(path, bytes);
		compare(path, "op_row", COLUMNS, INT64_MIN, 100);
		compare(path, "op_row", 3, INT64_MIN, 4096);
		compare(path, "busy_row", 4, INT64_MIN, 10);
		compare(path, "coll_row", 14, INT64_MIN, 10);
	}
}

static void reading_begins_behind_any_id(void)
{
	const char *path = scratch_path(dir, "a.db");

	make(path, 4096);
	for (int64_t i = 1; i <= ROWS; i += 997) {
		compare(path, "op_row", 2, (i << 28) + i, 1000);
		compare(path, "op_row", 2, (i << 28) + i - 1, 1000);
	}
	compare(path, "op_row", 2, INT64_MAX, 1000);
}

static void unknown_tables_have_no_root(void)
{
	const char *path = scratch_path(dir, "a.db");
	struct pages_file f;

	make(path, 4096);
	CU_ASSERT_EQUAL_FATAL(pages_open(path, &f), 0);
	CU_ASSERT_EQUAL(f.version, DB_VERSION);
	CU_ASSERT_EQUAL(pages_root(&f, "op_ro"), 0);
	CU_ASSERT_EQUAL(pages_root(&f, "op_row_"), 0);
	CU_ASSERT_NOT_EQUAL(pages_root(&f, "op_row"), 0);
	pages_close(&f);
}

static void other_files_are_refused(void)
{
	const char *path = scratch_path(dir, "other");
	struct pages_file f;

	CU_ASSERT_EQUAL(pages_open(scratch_path(dir, "none"), &f), -ENOENT);
	scratch_write(path, "SQLite format 3", 16);
	CU_ASSERT_EQUAL(pages_open(path, &f), -EINVAL);
	pages_close(&f);
}

/* What is read is in order and has an end, whatever the bytes are. */
static void damage_ends_the_reading(void)
{
	const char *good = scratch_path(dir, "a.db"), *path = scratch_path(dir, "b.db");
	uint64_t state = 1;
	size_t bytes;
	uint8_t *data;

	make(good, 1024);
	data = scratch_read(good, &bytes);
	for (int i = 0; i < 300; i++) {
		uint8_t *copy = malloc(bytes);
		struct pages_file f;
		struct pages_cursor c;
		struct row row[64];
		uint32_t got = 64;
		int64_t last = INT64_MIN;
		uint64_t rows = 0;

		memcpy(copy, data, bytes);
		for (int k = 0; k < 200; k++) {
			state = state * 6364136223846793005ULL + 1442695040888963407ULL;
			copy[100 + (state >> 20) % (bytes - 100)] = (uint8_t)(state >> 12);
		}
		scratch_write(path, copy, i % 3 ? bytes : bytes / 2 + (size_t)i);
		CU_ASSERT_EQUAL_FATAL(pages_open(path, &f), 0);
		pages_seek(&c, pages_root(&f, "op_row"), 0);
		while (got == 64 && pages_read(&f, &c, COLUMNS, row, 64, &got) == 0)
			for (uint32_t k = 0; k < got; k++, rows++) {
				CU_ASSERT_FATAL(row[k].value[0] > last);
				last = row[k].value[0];
			}
		CU_ASSERT(rows <= bytes);
		pages_close(&f);
		free(copy);
	}
	free(data);
}

static const struct unit_test tests[] = { { "tables read as through SQLite",
						  tables_read_as_through_sqlite },
	{ "reading begins behind any id", reading_begins_behind_any_id },
	{ "unknown tables have no root", unknown_tables_have_no_root },
	{ "other files are refused", other_files_are_refused },
	{ "damage ends the reading", damage_ends_the_reading }, { NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("store_pages", tests);
	scratch_remove(dir);
	return failed;
}
