/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c: writes and reads files of link parameters (links.h). */
#include "analysis/format/links/links.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/array.h"
#include "analysis/base/file.h"
#include "analysis/format/links/calibration_sql.h"
#include "analysis/format/db/db.h"
#include "analysis/format/links/queries.h"
#include "analysis/format/links/row.h"

enum {
	LINKS_MAX = 1 << 20, /* rows that are read: a quarter of a gigabyte would be damage */
	PAGE_BYTES = 4096
};

static const struct db_layout links_layout = { sql_links_schema,
	{ sql_links_origin_schema, calibration_sql } };
static const struct db_kind links_kind = { DB_LINKS_APPLICATION_ID, DB_LINKS_VERSION,
	"a file of tryst's link parameters", &links_layout };

_Static_assert(DB_LINKS_APPLICATION_ID == 0x7472736c && DB_LINKS_VERSION == 1, "sql_links_schema");

/* 0: the file's fingerprint is `keys`; -ESTALE: another; else a negative errno, printed. */
static int check_fingerprint(
	sqlite3 *db, const struct link_key *keys, size_t nkeys, const struct say *say)
{
	sqlite3_stmt *stmt = NULL;
	size_t same = 0, all = 0;
	int rc = db_prepare(db, sql_links_fingerprint, &stmt);

	while (!rc && (rc = db_step(stmt)) > 0) {
		const char *key = (const char *)sqlite3_column_text(stmt, 0);
		const char *value = (const char *)sqlite3_column_text(stmt, 1);

		rc = 0;
		all++;
		for (size_t i = 0; i < nkeys; i++)
			same += key && value && strcmp(key, keys[i].key) == 0 &&
				strcmp(value, keys[i].value) == 0;
	}
	sqlite3_finalize(stmt);
	if (rc != 0) {
		db_say(db, rc, "read", say);
		return -EINVAL;
	}
	return same == nkeys && all == nkeys ? 0 : -ESTALE;
}

static int read_rows(sqlite3 *db, struct link_file *out, const struct say *say)
{
	sqlite3_stmt *stmt = NULL;
	uint32_t room = 0;
	bool unknown = false;
	int rc = db_prepare(db, sql_links_parameters, &stmt);

	while (!rc && !unknown && (rc = db_step(stmt)) > 0) {
		rc = 0;
		if (out->nlinks == LINKS_MAX ||
			array_room(&out->link, sizeof(*out->link), &room, out->nlinks))
			rc = -ENOMEM;
		else if (link_row_read(stmt, 0, &out->link[out->nlinks]) == 0)
			out->nlinks++;
		else
			unknown = true;
	}
	sqlite3_finalize(stmt);
	if (rc == 0 && !unknown)
		return 0;
	if (unknown)
		say_line(say, "cannot read '%s': damaged: unknown tier",
			sqlite3_db_filename(db, "main"));
	else
		db_say(db, rc, "read", say);
	return rc == -ENOMEM ? -ENOMEM : -EINVAL;
}

/* Reads when and by whom links were measured, for one sentence: damage is no error here. */
static void read_origin(sqlite3 *db, struct link_file *out)
{
	sqlite3_stmt *stmt = NULL;
	const char *by;

	if (db_prepare(db, sql_links_origin, &stmt) == 0 && db_step(stmt) > 0) {
		out->measured_at = sqlite3_column_int64(stmt, 0);
		by = (const char *)sqlite3_column_text(stmt, 1);
		if (by && (strcmp(by, LINKS_BY_LAUNCH) == 0 || strcmp(by, LINKS_BY_CALIBRATE) == 0))
			snprintf(out->by, sizeof(out->by), "%s", by);
	}
	if (out->measured_at < 0)
		out->measured_at = 0;
	sqlite3_finalize(stmt);
}

int links_open(const char *path, sqlite3 **out, const struct say *say)
{
	return db_open_kind(path, &links_kind, DB_READ, out, say);
}

int links_read(const char *path, const struct link_key *keys, size_t nkeys, struct link_file *out,
	const struct say *say)
{
	struct db_steps steps;
	struct stat st;
	sqlite3 *db;
	int rc;

	memset(out, 0, sizeof(*out));
	if (lstat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR))
		return -ENOENT;
	rc = links_open(path, &db, say);
	if (!rc)
		db_limit_steps(db, &steps, (uint64_t)st.st_size);
	if (!rc && nkeys)
		rc = check_fingerprint(db, keys, nkeys, say);
	if (!rc)
		rc = read_rows(db, out, say);
	if (!rc)
		read_origin(db, out);
	sqlite3_close(db);
	if (rc)
		links_release(out);
	return rc;
}

bool links_differ(const char *path, const struct link_key *key, char *value, size_t size)
{
	sqlite3_stmt *s = NULL;
	struct db_steps steps;
	bool differs = false;
	sqlite3 *db;

	if (links_open(path, &db, NULL) != 0)
		return false;
	db_limit_steps(db, &steps, 0);
	if (db_prepare(db, sql_links_fingerprint_value, &s) == 0)
		sqlite3_bind_text(s, 1, key->key, -1, SQLITE_STATIC);
	if (s && db_step(s) > 0) {
		const char *there = (const char *)sqlite3_column_text(s, 0);

		snprintf(value, size, "%s", there ? there : "");
		differs = there && strcmp(there, key->value) != 0;
	}
	sqlite3_finalize(s);
	sqlite3_close(db);
	return differs;
}

void links_release(struct link_file *links)
{
	free(links->link);
	memset(links, 0, sizeof(*links));
}

static int insert_origin(sqlite3 *db, const char *by)
{
	sqlite3_stmt *stmt = NULL;
	int rc = db_prepare(db, sql_links_write_origin, &stmt);

	if (!rc) {
		sqlite3_bind_int64(stmt, 1, (int64_t)time(NULL));
		sqlite3_bind_text(stmt, 2, by, -1, SQLITE_STATIC);
		rc = db_execute(stmt);
	}
	sqlite3_finalize(stmt);
	return rc;
}

static int insert_all(sqlite3 *db, const struct link_key *keys, size_t nkeys,
	const struct rec_link *link, size_t nlinks, const char *by)
{
	sqlite3_stmt *key = NULL, *row = NULL;
	int rc = db_prepare_insert(db, DB_INSERT, "fingerprint", &key);

	if (!rc)
		rc = db_prepare_insert(db, DB_INSERT, "link_param", &row);
	for (size_t i = 0; i < nkeys && !rc; i++) {
		sqlite3_bind_text(key, 1, keys[i].key, -1, SQLITE_STATIC);
		sqlite3_bind_text(key, 2, keys[i].value, -1, SQLITE_STATIC);
		rc = db_execute(key);
	}
	for (size_t i = 0; i < nlinks && !rc; i++) {
		link_row_bind(row, 1, &link[i]);
		rc = db_execute(row);
	}
	sqlite3_finalize(key);
	sqlite3_finalize(row);
	return rc ? rc : insert_origin(db, by);
}

bool links_cache_names(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	if (strspn(name, "0123456789abcdef") != 16)
		return false;
	name += 16;
	if (name[0] == '-' && name[1] >= '1' && name[1] < '0' + LINKS_CACHE_SETS)
		name += 2;
	return strcmp(name, ".links") == 0;
}

/* Checks that `path` may be replaced: missing, link parameters, or a damaged file of the cache. */
static int check_old(const char *path, const struct say *say)
{
	struct stat st;
	sqlite3 *db;
	int rc;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? 0 : -errno;
	rc = links_open(path, &db, NULL);
	sqlite3_close(db);
	if (!rc || (rc == -EINVAL && links_cache_names(path)))
		return 0;
	say_line(say, "'%s' is not a file of link parameters of this version and is left alone",
		path);
	return -EEXIST;
}

int links_write(const char *path, mode_t mode, const struct link_key *keys, size_t nkeys,
	const struct rec_link *link, size_t nlinks, const char *by, const struct say *say)
{
	char name[PATH_MAX];
	sqlite3 *db = NULL;
	int rc = check_old(path, say);

	if (rc == -EEXIST)
		return rc;
	if (!rc)
		rc = file_new_name_free(path, name, sizeof(name));
	if (rc) {
		say_line(say, "cannot write '%s': %s", path, strerror(-rc));
		return rc;
	}
	rc = db_create(name, mode, PAGE_BYTES, &db, say);
	if (rc)
		return rc;
	rc = db_exec(db, "BEGIN", "write", say);
	if (!rc)
		rc = db_exec(db, sql_links_schema, "write", say);
	if (!rc)
		rc = db_exec(db, sql_links_origin_schema, "write", say);
	if (!rc) {
		rc = insert_all(db, keys, nkeys, link, nlinks, by);
		if (rc)
			db_say(db, rc, "write", say);
	}
	if (!rc)
		rc = db_exec(db, "COMMIT", "write", say);
	sqlite3_close(db);
	if (!rc && rename(name, path) != 0) {
		rc = -errno;
		say_line(say, "cannot rename '%s' to '%s': %s", name, path, strerror(-rc));
	}
	if (rc)
		unlink(name);
	return rc;
}
