/* SPDX-License-Identifier: BSD-3-Clause */
/* db.c: opens and makes SQLite files, and says why that failed (db.h). */
#include "analysis/format/db/db.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/format/db/codes.h"
#include "analysis/format/db/queries.h"
#include "analysis/format/db/vfs.h"
#include "analysis/base/file.h"

enum {
	LONGEST_VALUE = 1 << 26, /* bytes of a row or a value: what we write is far below */
	STEPS_AT_ONCE = 1000,    /* between two looks at the limit */
	STEPS_LEAST = 2000,      /* looks: of a small file, 2,000,000 steps */
	STEPS_A_BYTE =
		16 /* a row of n columns has n bytes at least and takes some steps a column */
};

const struct db_layout db_layout = { db_schema,
	{ sql_db_merge_tables, sql_db_merge_index, sql_db_scenario_tables } };

int db_last_error(sqlite3 *db)
{
	return db_errno(db, sqlite3_errcode(db));
}

bool db_reached_limit(sqlite3 *db)
{
	return sqlite3_errcode(db) == SQLITE_INTERRUPT;
}

const char *db_reason(sqlite3 *db, int rc)
{
	bool words = rc == -EIO || rc == -EINVAL || rc == -EEXIST || rc == -ENOTSUP;

	if (rc == -EINVAL && db_reached_limit(db))
		return "damaged: reading it takes more work than its size allows";
	return words && db_last_error(db) == rc ? sqlite3_errmsg(db) : strerror(-rc);
}

int db_say(sqlite3 *db, int rc, const char *what, const struct say *say)
{
	/* without memory SQLite gives no database at all */
	const char *file = db ? sqlite3_db_filename(db, "main") : NULL;

	if (!db)
		rc = -ENOMEM;
	say_line(say, "cannot %s '%s': %s", what, file ? file : "a database", db_reason(db, rc));
	return rc;
}

int db_open_memory(sqlite3 **out)
{
	int code = sqlite3_open(":memory:", out);

	return db_errno(*out, code);
}

int db_close(sqlite3 *db)
{
	return db_errno(db, sqlite3_close(db));
}

int db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **out)
{
	return db_prepare_first(db, &sql, out);
}

int db_prepare_first(sqlite3 *db, const char **sql, sqlite3_stmt **out)
{
	return db_errno(db, sqlite3_prepare_v2(db, *sql, -1, out, sql));
}

int db_step(sqlite3_stmt *stmt)
{
	int code = sqlite3_step(stmt);

	return code == SQLITE_ROW ? 1 : db_errno(sqlite3_db_handle(stmt), code);
}

int db_execute(sqlite3_stmt *stmt)
{
	sqlite3_step(stmt);
	return db_errno(sqlite3_db_handle(stmt), sqlite3_reset(stmt)); /* the step's error */
}

int db_finalize(sqlite3_stmt *stmt)
{
	sqlite3 *db = sqlite3_db_handle(stmt);

	return db_errno(db, sqlite3_finalize(stmt));
}

int db_add_functions(sqlite3 *db, const struct db_function *f)
{
	int code = SQLITE_OK;

	for (; f->name && code == SQLITE_OK; f++)
		code = sqlite3_create_function(db, f->name, f->arguments,
			SQLITE_UTF8 | SQLITE_DETERMINISTIC, f->context, f->call, f->step, f->end);
	return db_errno(db, code);
}

int db_exec_quiet(sqlite3 *db, const char *sql)
{
	return db_errno(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
}

int db_exec(sqlite3 *db, const char *sql, const char *what, const struct say *say)
{
	int rc = db_exec_quiet(db, sql);

	return rc ? db_say(db, rc, what, say) : 0;
}

/* A number in the header of `schema`'s file; -1 where it cannot be read. *code: of the step. */
static int64_t header_int(sqlite3 *db, const char *schema, const char *name, int *code)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = -1;
	char sql[80];

	snprintf(sql, sizeof(sql), "PRAGMA \"%s\".%s", schema, name);
	*code = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
	if (*code == SQLITE_OK)
		*code = sqlite3_step(stmt);
	if (*code == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

/* An open file is SQLite's and of this application and a version that is known. */
static int check_kind(
	sqlite3 *db, const char *path, const struct db_kind *kind, const struct say *say)
{
	int code, rc;
	int64_t id = header_int(db, "main", "application_id", &code);
	int64_t version;

	if (code == SQLITE_NOTADB) {
		say_line(say, "cannot read '%s': not %s, or damaged", path, kind->name);
		return -EINVAL;
	}
	if (code != SQLITE_ROW) {
		rc = code == SQLITE_DONE ? -EINVAL : db_errno(db, code);
		say_line(say, "cannot read '%s': %s", path, db_reason(db, rc));
		return rc;
	}
	if (id != kind->application_id && id == DB_LINKS_APPLICATION_ID) {
		say_line(say,
			"cannot read '%s': link parameters, not records of a run: 'tryst model "
			"show' and 'tryst sql' read them",
			path);
		return -EINVAL;
	}
	if (id != kind->application_id) {
		say_line(say, "cannot read '%s': not %s", path, kind->name);
		return -EINVAL;
	}
	version = header_int(db, "main", "user_version", &code);
	if (version > kind->version) {
		say_line(say, "cannot read '%s': version %" PRId64 ", this tryst reads up to %d",
			path, version, kind->version);
		return -EPROTO;
	}
	if (version < 1) {
		say_line(say, "cannot read '%s': damaged: version %" PRId64, path, version);
		return -EINVAL;
	}
	return 0;
}

/* Turns off all that a file could use beyond our own tables and views. */
void db_harden(sqlite3 *db)
{
	static const struct {
		int option, value;
	} config[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
		{ SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0 },
	};

	for (size_t i = 0; i < sizeof(config) / sizeof(*config); i++)
		sqlite3_db_config(db, config[i].option, config[i].value, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
	sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

int db_attach(sqlite3 *db, const char *path, const char *schema)
{
	char full[PATH_MAX];
	sqlite3_stmt *s;
	int rc = db_vfs_name(path, full, sizeof(full));

	if (!rc)
		rc = db_prepare(db, "ATTACH ? AS ?", &s);
	if (rc)
		return rc;
	sqlite3_bind_text(s, 1, full, -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, schema, -1, SQLITE_STATIC);
	db_step(s);
	return db_finalize(s);
}

/* VACUUM INTO attaches the file that it makes. */
static int refuse_attach(
	void *context, int action, const char *a, const char *b, const char *schema, const char *by)
{
	struct db_tables_read *of = context;

	(void)b, (void)schema, (void)by;
	if (action == SQLITE_READ && a && of->is_one(a))
		of->any = true;
	return action == SQLITE_ATTACH ? SQLITE_DENY : SQLITE_OK;
}

void db_refuse_attach(sqlite3 *db, struct db_tables_read *of)
{
	sqlite3_set_authorizer(db, refuse_attach, of);
}

static int count_steps(void *context)
{
	struct db_steps *steps = context;

	if (steps->left == 0)
		return 1;
	steps->left--;
	return 0;
}

void db_limit_steps(sqlite3 *db, struct db_steps *steps, uint64_t file_bytes)
{
	steps->left = STEPS_LEAST + file_bytes / STEPS_AT_ONCE * STEPS_A_BYTE;
	sqlite3_progress_handler(db, STEPS_AT_ONCE, count_steps, steps);
}

void db_end_limit(sqlite3 *db)
{
	sqlite3_progress_handler(db, 0, NULL, NULL);
}

/* SQLite's code for reading the schema's version, which is the first thing read of a file. */
static int probe(sqlite3 *db)
{
	int code;

	header_int(db, "main", "schema_version", &code);
	return code & 0xff;
}

/* A writer was killed in a transaction. Undoing it by its journal needs a connection that writes.
 */
static void roll_back(const char *path)
{
	sqlite3 *db;

	if (db_vfs_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, true, &db) == 0) {
		db_harden(db);
		probe(db);
	}
	sqlite3_close(db);
}

static int open_hardened(const char *path, int flags, bool locks, sqlite3 **out)
{
	int rc = db_vfs_open(path, flags, locks, out);

	if (!rc)
		db_harden(*out);
	return rc;
}

static int open_sqlite(const char *path, enum db_mode mode, sqlite3 **out)
{
	const int flags = mode == DB_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX :
					     SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
	int rc = open_hardened(path, flags, true, out), first;

	if (rc || mode == DB_WRITE)
		return rc;
	if (mode == DB_RESCUE) {
		/* without these settings SQLite refuses a file shorter than its header says */
		sqlite3_db_config(*out, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
		sqlite3_db_config(*out, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
		return db_exec_quiet(*out, "PRAGMA writable_schema = ON");
	}
	first = probe(*out);
	if (first == SQLITE_READONLY) {
		roll_back(path);
		first = probe(*out);
	}
	if (first != SQLITE_IOERR && first != SQLITE_CANTOPEN)
		return 0;
	/* If locks do not work, a file can still be read without them while nobody writes it. */
	sqlite3_close(*out);
	return open_hardened(path, flags, false, out);
}

/* Tables and views as this version has them. */
static int check_layout(
	sqlite3 *db, const char *path, const struct db_kind *kind, const struct say *say)
{
	char what[200];
	int code, rc;
	int64_t version = header_int(db, "main", "user_version", &code);

	if (version < 1 || version > kind->version)
		return -EINVAL;
	rc = db_layout_check(db, "main", &kind->layout[version - 1], what, sizeof(what));
	if (rc == -EIO) {
		rc = db_last_error(db);
		say_line(say, "cannot read '%s': %s", path, db_reason(db, rc));
		return rc;
	}
	if (rc)
		say_line(say, "cannot read '%s': %s%s", path,
			rc == -ENOMEM ? strerror(ENOMEM) :
					"damaged, or not made by this version of tryst: ",
			what);
	return rc;
}

/* Checks that the open file is what it should be, in a bounded number of steps. */
static int check_open(sqlite3 *db, const char *path, uint64_t bytes, const struct db_kind *kind,
	enum db_mode mode, const struct say *say)
{
	struct db_steps steps;
	int rc;

	db_limit_steps(db, &steps, bytes);
	rc = check_kind(db, path, kind, say);
	if (rc == 0 && mode != DB_RESCUE)
		rc = check_layout(db, path, kind, say);
	db_end_limit(db);
	return rc;
}

int db_open_kind(const char *path, const struct db_kind *kind, enum db_mode mode, sqlite3 **out,
	const struct say *say)
{
	char why[PATH_MAX + 200];
	struct stat st;
	int rc;

	*out = NULL;
	if (lstat(path, &st) != 0) {
		rc = -errno;
		say_line(say, "cannot open '%s': %s", path, strerror(errno));
		return rc;
	}
	if (S_ISREG(st.st_mode) && st.st_size == 0) {
		say_line(say, "cannot read '%s': empty", path);
		return -EINVAL;
	}
	if (db_vfs_refuses(path, mode == DB_WRITE, why, sizeof(why))) {
		say_line(say, "cannot open '%s': %s", path, why);
		return -EINVAL;
	}
	rc = open_sqlite(path, mode, out);
	if (rc)
		say_line(say, "cannot open '%s': %s", path, db_reason(*out, rc));
	else
		rc = check_open(*out, path, (uint64_t)st.st_size, kind, mode, say);
	if (rc) {
		sqlite3_close(*out);
		*out = NULL;
	}
	return rc;
}

int db_check_inside(sqlite3 *db, const char *schema)
{
	char what[200];
	int code;

	return header_int(db, schema, "application_id", &code) == DB_APPLICATION_ID &&
			header_int(db, schema, "user_version", &code) == DB_VERSION &&
			db_layout_check(db, schema, &db_layout, what, sizeof(what)) == 0 ?
		0 :
		-EINVAL;
}

int db_open(const char *path, enum db_mode mode, sqlite3 **out, const struct say *say)
{
	static const struct db_kind kind = { DB_APPLICATION_ID, DB_VERSION, "a database of tryst's",
		&db_layout };

	return db_open_kind(path, &kind, mode, out, say);
}

int db_create(const char *path, mode_t mode, int page_bytes, sqlite3 **out, const struct say *say)
{
	char sql[64];
	int rc;
	int fd = file_open_mode(
		AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);

	*out = NULL;
	if (fd < 0) {
		rc = -errno;
		say_line(say, "cannot make '%s': %s", path, strerror(errno));
		return rc;
	}
	close(fd);
	/* Nobody else knows the file, so it needs no locks, which parallel file systems may lack.
	 */
	rc = db_vfs_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, false, out);
	if (rc) {
		say_line(say, "cannot make '%s': %s", path, db_reason(*out, rc));
	} else {
		snprintf(sql, sizeof(sql), "PRAGMA page_size = %d", page_bytes);
		rc = db_exec(*out, sql, "make", say);
		if (!rc)
			rc = db_exec(*out, sql_db_create, "make", say);
	}
	if (rc) {
		sqlite3_close(*out);
		*out = NULL;
		unlink(path);
	}
	return rc;
}

int db_make_schema(sqlite3 *db, const struct say *say)
{
	return db_exec(db, db_schema, "write", say);
}

int db_check(sqlite3 *db, const char *path, const struct say *say)
{
	sqlite3_stmt *stmt = NULL;
	const char *finding = NULL;
	int rc = 0;

	if (db_prepare(db, "PRAGMA quick_check(1)", &stmt) == 0 && db_step(stmt) > 0)
		finding = (const char *)sqlite3_column_text(stmt, 0);
	if (!finding || strcmp(finding, "ok") != 0) {
		say_line(say, "'%s' is damaged: %.200s", path,
			finding ? finding : sqlite3_errmsg(db));
		rc = -EINVAL;
	}
	sqlite3_finalize(stmt);
	return rc;
}

int64_t db_int(sqlite3 *db, const char *sql, int64_t none)
{
	sqlite3_stmt *s;
	int64_t value = none;

	if (db_prepare(db, sql, &s) == 0 && db_step(s) > 0)
		value = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return value;
}

/* Prepares the query and steps to its first row. Returns as db_step(). */
static int ask_run(sqlite3 *db, const char *sql, int32_t rank, const char *key, sqlite3_stmt **stmt)
{
	int rc = db_prepare(db, sql, stmt);

	if (rc)
		return rc;
	sqlite3_bind_text(*stmt, 1, key, -1, SQLITE_STATIC);
	if (rank >= 0)
		sqlite3_bind_int(*stmt, 2, rank);
	return db_step(*stmt);
}

int64_t db_run_int(sqlite3 *db, int32_t rank, const char *key, int64_t none)
{
	sqlite3_stmt *s;

	if (ask_run(db, rank < 0 ? sql_db_run_sum : sql_db_run_value, rank, key, &s) > 0 &&
		sqlite3_column_type(s, 0) != SQLITE_NULL)
		none = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return none;
}

bool db_has_table(sqlite3 *db, const char *table)
{
	return sqlite3_table_column_metadata(
		       db, "main", table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

int db_has_rows(sqlite3 *db, const char *table)
{
	char sql[80];

	snprintf(sql, sizeof(sql), "SELECT EXISTS (SELECT 1 FROM %s)", table);
	return (int)db_int(db, sql, -1);
}

int db_prepare_rows(sqlite3 *db, const char *table, sqlite3_stmt **out)
{
	char sql[128];

	*out = NULL;
	if (snprintf(sql, sizeof(sql), "SELECT * FROM %s", table) >= (int)sizeof(sql))
		return -E2BIG;
	return db_prepare(db, sql, out);
}

int db_prepare_insert(sqlite3 *db, enum db_insert how, const char *table, sqlite3_stmt **out)
{
	static const char *const on_conflict[] = { [DB_INSERT] = "",
		[DB_INSERT_OR_IGNORE] = " OR IGNORE",
		[DB_INSERT_OR_REPLACE] = " OR REPLACE" };
	char sql[512];
	int rc = db_prepare_rows(db, table, out), n, columns;

	if (rc)
		return rc;
	columns = sqlite3_column_count(*out);
	sqlite3_finalize(*out);
	*out = NULL;
	n = snprintf(sql, sizeof(sql), "INSERT%s INTO %s VALUES (?", on_conflict[how], table);
	if (n + 2 * columns > (int)sizeof(sql))
		return -E2BIG;
	for (int i = 1; i < columns; i++, n += 2)
		memcpy(sql + n, ",?", 2);
	memcpy(sql + n, ")", 2);
	return db_prepare(db, sql, out);
}

int db_run_set(sqlite3 *db, int32_t rank, const char *key, int64_t value)
{
	sqlite3_stmt *s = NULL;
	int rc = db_prepare_insert(db, DB_INSERT_OR_REPLACE, "run", &s);

	if (rc)
		return rc;
	sqlite3_bind_int(s, 1, rank);
	sqlite3_bind_text(s, 2, key, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 3, value);
	sqlite3_step(s);
	return db_finalize(s);
}

int db_run_value(sqlite3 *db, int32_t rank, const char *key, char *text, size_t size)
{
	sqlite3_stmt *stmt;
	int rc = ask_run(db, rank < 0 ? sql_db_run_any : sql_db_run_value, rank, key, &stmt);

	if (rc > 0) {
		const unsigned char *value = sqlite3_column_text(stmt, 0);

		snprintf(text, size, "%s", value ? (const char *)value : "");
		rc = 0;
	} else if (rc == 0) {
		rc = -ENOENT;
	}
	sqlite3_finalize(stmt);
	return rc;
}

int db_run_id(sqlite3 *db, uint64_t *run_id)
{
	char text[64];

	if (db_run_value(db, -1, "run_id", text, sizeof(text)) ||
		sscanf(text, "%16" SCNx64, run_id) != 1)
		return -ENOENT;
	return 0;
}
