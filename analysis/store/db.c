/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/store/file.h"

/* SQLite forgets errno where COMMIT fails; the file remembers it. */
static int system_error(sqlite3 *db)
{
	int error = db ? sqlite3_system_errno(db) : 0;

	if (db && error == 0)
		sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
	return error;
}

int db_errno(sqlite3 *db, int code)
{
	int error = system_error(db);

	switch (code & 0xff) {
	case SQLITE_OK:
	case SQLITE_DONE:
	case SQLITE_ROW:
		return 0;
	case SQLITE_FULL:
		return error == EDQUOT || error == EFBIG ? -error : -ENOSPC;
	case SQLITE_READONLY:
		return -EROFS;
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return -EACCES;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return -EBUSY;
	case SQLITE_NOMEM:
		return -ENOMEM;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_FORMAT:
		return -EINVAL;
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		return error ? -error : -EIO;
	default:
		return -EIO;
	}
}

/* The reason in words: the system's where it gave one, else SQLite's. */
static const char *reason(sqlite3 *db, int code)
{
	int rc = db_errno(db, code);

	return rc == -EIO || rc == -EINVAL ? sqlite3_errmsg(db) : strerror(-rc);
}

int db_say(sqlite3 *db, int code, const char *what, const struct say *say)
{
	/* without memory SQLite gives no database at all */
	const char *file = db ? sqlite3_db_filename(db, "main") : NULL;

	say_line(say, "cannot %s '%s': %s", what, file ? file : "a database", reason(db, code));
	return db ? db_errno(db, code) : -ENOMEM;
}

int db_exec(sqlite3 *db, const char *sql, const char *what, const struct say *say)
{
	int code = sqlite3_exec(db, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : db_say(db, code, what, say);
}

/* One integer, -1 where the statement gives none. */
static int64_t query_int(sqlite3 *db, const char *sql, int *code)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = -1;

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
	int code;
	int64_t id = query_int(db, "PRAGMA application_id", &code);
	int64_t version;

	if (code == SQLITE_NOTADB) {
		say_line(say, "cannot read '%s': not %s, or damaged", path, kind->name);
		return -EINVAL;
	}
	if (code != SQLITE_ROW) {
		say_line(say, "cannot read '%s': %s", path, sqlite3_errmsg(db));
		return code == SQLITE_DONE ? -EINVAL : db_errno(db, code);
	}
	if (id != kind->application_id && id == DB_LINKS_APPLICATION_ID) {
		say_line(say, "cannot read '%s': link parameters, not records of a run: 'tryst model show' "
			"and 'tryst sql' read them", path);
		return -EINVAL;
	}
	if (id != kind->application_id) {
		say_line(say, "cannot read '%s': not %s", path, kind->name);
		return -EINVAL;
	}
	version = query_int(db, "PRAGMA user_version", &code);
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

/* "file:<path>?<query>" with what a URI may not hold escaped. NULL: no memory. */
static char *uri_of(const char *path, const char *query)
{
	char *uri = malloc(strlen(path) * 3 + strlen(query) + 8);
	char *p = uri;

	if (!uri)
		return NULL;
	p += sprintf(p, "file:");
	for (; *path; path++)
		p += *path == '?' || *path == '#' || *path == '%'
			     ? sprintf(p, "%%%02X", (unsigned char)*path)
			     : sprintf(p, "%c", *path);
	sprintf(p, "?%s", query);
	return uri;
}

/* A file may be damaged, or made to do harm: its schema gets no more than it needs. */
static void harden(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

/* A writer was killed in a transaction: what its journal says is undone, which takes writing. */
static void roll_back(const char *path)
{
	char *uri = uri_of(path, "mode=rw");
	sqlite3 *db = NULL;
	int code;

	if (uri && sqlite3_open_v2(uri, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
				SQLITE_OPEN_URI, NULL) == SQLITE_OK)
		query_int(db, "PRAGMA schema_version", &code);
	sqlite3_close(db);
	free(uri);
}

static int open_sqlite(const char *path, enum db_mode mode, sqlite3 **out)
{
	int flags = SQLITE_OPEN_URI | (mode == DB_READ ? SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX :
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX);
	char *uri = uri_of(path, mode == DB_READ ? "mode=ro" : "mode=rw");
	int code, probe;

	if (!uri)
		return SQLITE_NOMEM;
	code = sqlite3_open_v2(uri, out, flags, NULL);
	free(uri);
	if (code == SQLITE_OK)
		harden(*out);
	if (code != SQLITE_OK || mode != DB_READ)
		return code;
	query_int(*out, "PRAGMA schema_version", &probe);
	if ((probe & 0xff) == SQLITE_READONLY) {
		roll_back(path);
		query_int(*out, "PRAGMA schema_version", &probe);
	}
	if ((probe & 0xff) != SQLITE_IOERR && (probe & 0xff) != SQLITE_CANTOPEN)
		return code;
	/* Where locks do not work a file that nobody writes can still be read. */
	sqlite3_close(*out);
	*out = NULL;
	uri = uri_of(path, "mode=ro&immutable=1");
	if (!uri)
		return SQLITE_NOMEM;
	code = sqlite3_open_v2(uri, out, flags, NULL);
	if (code == SQLITE_OK)
		harden(*out);
	free(uri);
	return code;
}

int db_open_kind(const char *path, const struct db_kind *kind, enum db_mode mode, sqlite3 **out,
	const struct say *say)
{
	struct stat st;
	int code, rc;

	*out = NULL;
	if (lstat(path, &st) != 0) {
		rc = -errno;
		say_line(say, "cannot open '%s': %s", path, strerror(errno));
		return rc;
	}
	if (!S_ISREG(st.st_mode)) {
		say_line(say, "cannot open '%s': not a regular file", path);
		return -EINVAL;
	}
	if (st.st_size == 0) {
		say_line(say, "cannot read '%s': empty", path);
		return -EINVAL;
	}
	code = open_sqlite(path, mode, out);
	if (code != SQLITE_OK) {
		rc = db_errno(*out, code);
		say_line(say, "cannot open '%s': %s", path, reason(*out, code));
	} else {
		rc = check_kind(*out, path, kind, say);
	}
	if (rc) {
		sqlite3_close(*out);
		*out = NULL;
	}
	return rc;
}

int db_open(const char *path, enum db_mode mode, sqlite3 **out, const struct say *say)
{
	static const struct db_kind kind = {DB_APPLICATION_ID, DB_VERSION, "a database of tryst's"};

	return db_open_kind(path, &kind, mode, out, say);
}

int db_create(const char *path, int page_bytes, sqlite3 **out, const struct say *say)
{
	char sql[256];
	int code, rc;
	int fd = file_open(AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);

	*out = NULL;
	if (fd < 0) {
		rc = -errno;
		say_line(say, "cannot make '%s': %s", path, strerror(errno));
		return rc;
	}
	close(fd);
	/* Nobody else knows the file, so it needs no locks, which parallel file systems may lack.
	 */
	code = sqlite3_open_v2(path, out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none");
	if (code != SQLITE_OK) {
		say_line(say, "cannot make '%s': %s", path, reason(*out, code));
		rc = db_errno(*out, code);
	} else {
		snprintf(sql, sizeof(sql),
			"PRAGMA page_size = %d; PRAGMA locking_mode = EXCLUSIVE;"
			"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
			"PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096",
			page_bytes);
		rc = db_exec(*out, sql, "make", say);
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
	int code = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt, NULL);
	int rc = 0;

	if (code == SQLITE_OK)
		code = sqlite3_step(stmt);
	if (code == SQLITE_ROW)
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

	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
		value = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return value;
}

int db_run_value(sqlite3 *db, int32_t rank, const char *key, char *text, size_t size)
{
	sqlite3_stmt *stmt = NULL;
	int code = sqlite3_prepare_v2(db,
		"SELECT value FROM run WHERE key = ?1 AND (?2 < 0 OR rank = ?2) LIMIT 1", -1, &stmt,
		NULL);
	int rc = -ENOENT;

	if (code == SQLITE_OK) {
		sqlite3_bind_text(stmt, 1, key, -1, SQLITE_STATIC);
		sqlite3_bind_int(stmt, 2, rank);
		code = sqlite3_step(stmt);
	}
	if (code == SQLITE_ROW) {
		const unsigned char *value = sqlite3_column_text(stmt, 0);

		snprintf(text, size, "%s", value ? (const char *)value : "");
		rc = 0;
	} else if (code != SQLITE_DONE) {
		rc = db_errno(db, code);
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
