/* SPDX-License-Identifier: BSD-3-Clause */
/* test_format_db.c: databases are opened, made and refused as they should be. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "tests/unit/scratch.h"

static char dir[PATH_MAX];

/* A database with the schema and one key of the run. */
static const char *make(const char *name)
{
	const char *path = scratch_path(dir, name);
	sqlite3 *db;

	CU_ASSERT_EQUAL_FATAL(db_create(path, 0666, 4096, &db, NULL), 0);
	CU_ASSERT_EQUAL(db_make_schema(db, NULL), 0);
	CU_ASSERT_EQUAL(db_exec(db, "INSERT INTO run VALUES (3, 'run_id', '00ff'), (3, 'x', 'y')",
				"write", NULL),
		0);
	sqlite3_close(db);
	return path;
}

static void what_was_made_can_be_opened(void)
{
	const char *path = make("good.db");
	char text[16];
	sqlite3 *db;
	uint64_t id;

	CU_ASSERT_EQUAL_FATAL(db_open(path, DB_READ, &db, NULL), 0);
	CU_ASSERT_EQUAL(db_check(db, path, NULL), 0);
	CU_ASSERT_EQUAL(db_run_id(db, &id), 0);
	CU_ASSERT_EQUAL(id, 255);
	CU_ASSERT_EQUAL(db_run_value(db, 3, "x", text, sizeof(text)), 0);
	CU_ASSERT_STRING_EQUAL(text, "y");
	CU_ASSERT_EQUAL(db_run_value(db, 2, "x", text, sizeof(text)), -ENOENT);
	CU_ASSERT_EQUAL(db_exec(db, "DELETE FROM run", "change", NULL), -EROFS);
	sqlite3_close(db);
	CU_ASSERT_EQUAL_FATAL(db_open(path, DB_WRITE, &db, NULL), 0);
	CU_ASSERT_PTR_NOT_NULL(sqlite3_db_mutex(db)); /* threads may share it */
	CU_ASSERT_EQUAL(db_exec(db, "DELETE FROM run", "change", NULL), 0);
	CU_ASSERT_EQUAL(db_run_id(db, &id), -ENOENT);
	sqlite3_close(db);
}

static void a_name_may_hold_what_a_uri_may_not(void)
{
	const char *path = make("a?mode=memory#%20b c.db");
	sqlite3 *db;

	CU_ASSERT_EQUAL_FATAL(db_open(path, DB_READ, &db, NULL), 0);
	CU_ASSERT_EQUAL(scratch_sql(db, "SELECT count(*) FROM run"), 2);
	sqlite3_close(db);
}

static void nothing_is_made_over_what_is_there(void)
{
	const char *path = scratch_path(dir, "there"), *link = scratch_path(dir, "link");
	struct say_list said;
	sqlite3 *db;

	say_list_init(&said);
	scratch_write(path, "x", 1);
	CU_ASSERT_EQUAL(db_create(path, 0666, 4096, &db, &said.say), -EEXIST);
	CU_ASSERT_EQUAL(symlink(scratch_path(dir, "nowhere"), link), 0);
	CU_ASSERT_EQUAL(db_create(link, 0666, 4096, &db, &said.say), -EEXIST);
	CU_ASSERT_EQUAL(scratch_lines(&said), 2);
	CU_ASSERT_FALSE(scratch_exists(scratch_path(dir, "nowhere")));
}

static void what_is_no_database_of_ours_is_named(void)
{
	const char *path = scratch_path(dir, "other.db");
	struct say_list said;
	uint8_t *data;
	size_t bytes;
	sqlite3 *db;

	say_list_init(&said);
	CU_ASSERT_EQUAL(db_open(path, DB_READ, &db, &said.say), -ENOENT);
	CU_ASSERT_PTR_NULL(db);
	CU_ASSERT_EQUAL(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_exec(db, "CREATE TABLE t (x)", NULL, NULL, NULL);
	sqlite3_close(db);
	CU_ASSERT_EQUAL(db_open(path, DB_READ, &db, &said.say), -EINVAL);
	CU_ASSERT(scratch_said(&said, "other.db': not a database of tryst's"));
	scratch_write(path, "#!/bin/sh\n", 10);
	CU_ASSERT_EQUAL(db_open(path, DB_READ, &db, &said.say), -EINVAL);
	CU_ASSERT(scratch_said(&said, "not a database of tryst's, or damaged"));
	scratch_write(path, "", 0);
	CU_ASSERT_EQUAL(db_open(path, DB_READ, &db, &said.say), -EINVAL);
	CU_ASSERT_EQUAL(db_open(dir, DB_READ, &db, &said.say), -EINVAL);
	CU_ASSERT_EQUAL(scratch_lines(&said), 5);
	data = scratch_read(make("newer.db"), &bytes);
	data[63] = DB_VERSION + 1;
	scratch_write(path, data, bytes);
	free(data);
	CU_ASSERT_EQUAL(db_open(path, DB_READ, &db, &said.say), -EPROTO);
	CU_ASSERT(scratch_said(&said, "version 2, this tryst reads up to 1"));
}

static void damage_is_found_by_the_check(void)
{
	const char *path = make("damaged.db");
	struct say_list said;
	uint8_t *data;
	int64_t page;
	size_t bytes;
	sqlite3 *db;

	say_list_init(&said);
	CU_ASSERT_EQUAL_FATAL(db_open(path, DB_READ, &db, NULL), 0);
	page = scratch_sql(
		db, "SELECT rootpage FROM sqlite_master WHERE name = 'critical_path_cell'");
	sqlite3_close(db);
	data = scratch_read(path, &bytes);
	CU_ASSERT_FATAL(page > 1 && (size_t)page * 4096 <= bytes);
	memset(data + (page - 1) * 4096, 0xa5, 4096);
	scratch_write(path, data, bytes);
	free(data);
	CU_ASSERT_EQUAL_FATAL(db_open(path, DB_READ, &db, &said.say), 0);
	CU_ASSERT_EQUAL(db_check(db, path, &said.say), -EINVAL);
	CU_ASSERT(scratch_said(&said, "damaged.db' is damaged: "));
	sqlite3_close(db);
}

static const struct unit_test tests[] = { { "what was made can be opened",
						  what_was_made_can_be_opened },
	{ "a name may hold what a URI may not", a_name_may_hold_what_a_uri_may_not },
	{ "nothing is made over what is there", nothing_is_made_over_what_is_there },
	{ "what is no database of ours is named", what_is_no_database_of_ours_is_named },
	{ "damage is found by the check", damage_is_found_by_the_check }, { NULL, NULL } };

int main(void)
{
	int failed;

	scratch_make(dir);
	failed = unit_main("db", tests);
	scratch_remove(dir);
	return failed;
}
