/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "merge_part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char merge_part_sql[] =
	"CREATE TABLE IF NOT EXISTS input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER,"
	" mtime_ns INTEGER, state TEXT, reason TEXT);"
	"CREATE TABLE IF NOT EXISTS merge_info (key TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID";

/*
 * A rank is whole in the file or not there at all, whatever ends this process. The machine's own end
 * is not provided for: nothing is synced, and all can be made again.
 */
static const char settings_sql[] =
	"PRAGMA page_size = 16384; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = PERSIST;"
	"PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384";

static void remove_file(const struct merge_part *p)
{
	char journal[PATH_MAX + 16];

	snprintf(journal, sizeof journal, "%s-journal", p->path);
	unlink(journal);
	unlink(p->path);
}

/* Opens the file; nobody else does, as long as we hold the lock. */
static int open_sqlite(struct merge_part *p)
{
	int code = sqlite3_open_v2(p->path, &p->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
		"unix-none");

	return code == SQLITE_OK ? sqlite3_exec(p->db, settings_sql, NULL, NULL, NULL) : code;
}

/* Locks the file, which may be empty. False: another process has it. */
static bool lock_file(struct merge_part *p)
{
	struct stat ours, there;

	p->lock = open(p->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (p->lock < 0 || flock(p->lock, LOCK_EX | LOCK_NB) != 0)
		return false;
	/* who had it may have renamed it meanwhile */
	return fstat(p->lock, &ours) == 0 && stat(p->path, &there) == 0
		&& ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

static int make(struct merge_part *p, const struct say *say)
{
	char journal[PATH_MAX + 16];
	int rc = ftruncate(p->lock, 0) != 0 ? -errno : 0, code;

	snprintf(journal, sizeof journal, "%s-journal", p->path);
	unlink(journal);
	if (rc) {
		say_line(say, "cannot make '%s': %s", p->path, strerror(-rc));
		return rc;
	}
	code = open_sqlite(p);
	if (!p->db) {
		say_line(say, "cannot make '%s': %s", p->path, sqlite3_errstr(code));
		return -ENOMEM;
	}
	rc = code == SQLITE_OK ? 0 : db_say(p->db, code, "make", say);
	if (rc == 0)
		rc = db_exec(p->db, "BEGIN", "write", say);
	if (rc == 0)
		rc = db_make_schema(p->db, say);
	if (rc == 0)
		rc = db_exec(p->db, merge_part_sql, "write", say);
	if (rc == 0)
		rc = db_exec(p->db, "COMMIT", "write", say);
	return rc;
}

int merge_part_open(struct merge_part *p, const char *path,
	bool (*fits)(sqlite3 *db, void *context), void *context, const struct say *say)
{
	int rc;

	p->db = NULL;
	p->resumed = false;
	if (snprintf(p->path, sizeof p->path, "%s.merging", path) >= (int)sizeof p->path - 16)
		return -ENAMETOOLONG;
	if (!lock_file(p)) {
		/* another process is at it: each makes its own */
		if (p->lock >= 0)
			close(p->lock);
		snprintf(p->path + strlen(p->path), 16, "-%ld", (long)getpid());
		if (!lock_file(p)) {
			rc = errno ? -errno : -EAGAIN;
			say_line(say, "cannot make '%s': %s", p->path, strerror(-rc));
			return rc;
		}
	}
	p->resumed = open_sqlite(p) == SQLITE_OK && fits(p->db, context);
	if (p->resumed)
		return 0;
	sqlite3_close(p->db);
	p->db = NULL;
	rc = make(p, say);
	if (rc)
		merge_part_drop(p);
	return rc;
}

static void release(struct merge_part *p)
{
	if (p->lock >= 0)
		close(p->lock);
	p->lock = -1;
}

int merge_part_finish(struct merge_part *p, const char *path, const struct say *say)
{
	int rc = db_exec(p->db, "PRAGMA journal_mode = DELETE", "write", say);

	if (sqlite3_close(p->db) != SQLITE_OK && rc == 0)
		rc = -EIO;
	p->db = NULL;
	if (rc == 0 && rename(p->path, path) != 0) {
		rc = -errno;
		say_line(say, "cannot rename '%s' to '%s': %s", p->path, path, strerror(-rc));
	}
	if (rc)
		remove_file(p);
	release(p);
	return rc;
}

void merge_part_drop(struct merge_part *p)
{
	sqlite3_close(p->db);
	p->db = NULL;
	remove_file(p);
	release(p);
}
