/* SPDX-License-Identifier: BSD-3-Clause */
/* part.c: makes, locks and resumes the database of a merge (part.h). */
#include <config.h>

#include "analysis/merge/part.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/format/db/queries.h"
#include "analysis/format/db/vfs.h"
#include "analysis/base/file.h"
#include "analysis/merge/queries.h"

enum { HOST_CHARS = 64 };

static void remove_file(const char *path)
{
	char journal[PATH_MAX + 16];

	snprintf(journal, sizeof journal, "%s-journal", path);
	unlink(journal);
	unlink(path);
}

/* Opens the file; nobody else does, as long as we hold the lock. */
static int open_sqlite(struct merge_part *p)
{
	int rc = db_vfs_open(p->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, false, &p->db);

	if (!rc)
		db_harden(p->db);
	return rc ? rc : db_exec_quiet(p->db, sql_merge_part_settings);
}

/* Locks the file, which may be empty. False: another process has it, or it has a second name. */
static bool lock_file(struct merge_part *p)
{
	struct stat ours, there;

	p->lock = file_open_regular(AT_FDCWD, p->path, O_RDWR | O_CREAT | O_NOFOLLOW, NULL);
	if (p->lock < 0 || flock(p->lock, LOCK_EX | LOCK_NB) != 0)
		return false;
	/* the process that held the lock may have renamed the file meanwhile */
	return fstat(p->lock, &ours) == 0 && lstat(p->path, &there) == 0 &&
		ours.st_ino == there.st_ino && ours.st_dev == there.st_dev &&
		S_ISREG(ours.st_mode) && ours.st_nlink == 1;
}

/* The part "-host-" of the name for a process that finds run.db.merging in use. */
static void host_part(char *text, size_t size)
{
	char host[HOST_CHARS + 1] = "";

	gethostname(host, sizeof host - 1);
	snprintf(text, size, "-%s-", host);
}

/* Makes and locks a file of our own. Before the lock, another process may remove it as left over.
 */
static bool lock_own_file(struct merge_part *p)
{
	size_t length = strlen(p->path);
	char host[HOST_CHARS + 3];

	host_part(host, sizeof host);
	for (int tries = 0; tries < 3; tries++) {
		if (p->lock >= 0)
			close(p->lock);
		snprintf(p->path + length, sizeof p->path - length, "%s%ld", host, (long)getpid());
		if (lock_file(p))
			return true;
	}
	return false;
}

static void remove_if_left(const char *path)
{
	int fd = file_open_regular(AT_FDCWD, path, O_RDWR | O_NOFOLLOW, NULL);

	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		remove_file(path);
	close(fd);
}

/* Removes databases that killed processes of this host left, with their journals. */
static void remove_left(const char *path)
{
	char pattern[2 * PATH_MAX], host[HOST_CHARS + 3];
	size_t n = 0;
	glob_t found;

	for (const char *c = path; *c && n + 2 < sizeof pattern; c++) {
		if (strchr("*?[\\", *c))
			pattern[n++] = '\\';
		pattern[n++] = *c;
	}
	host_part(host, sizeof host);
	if (snprintf(pattern + n, sizeof pattern - n, ".merging%s*[0-9]", host) >=
			(int)(sizeof pattern - n) ||
		glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *number =
			found.gl_pathv[i] + strlen(path) + strlen(".merging") + strlen(host);

		/* another host's name may begin with ours */
		if (number[strspn(number, "0123456789")] == '\0')
			remove_if_left(found.gl_pathv[i]);
	}
	globfree(&found);
}

static int part_make(struct merge_part *p, const struct say *say)
{
	char journal[PATH_MAX + 16];
	int rc = ftruncate(p->lock, 0) != 0 ? -errno : 0;

	snprintf(journal, sizeof journal, "%s-journal", p->path);
	unlink(journal);
	if (rc) {
		say_line(say, "cannot make '%s': %s", p->path, strerror(-rc));
		return rc;
	}
	rc = open_sqlite(p);
	if (rc)
		say_line(say, "cannot make '%s': %s", p->path, db_reason(p->db, rc));
	if (rc == 0)
		rc = db_exec(p->db, "BEGIN", "write", say);
	if (rc == 0)
		rc = db_make_schema(p->db, say);
	if (rc == 0)
		rc = db_exec(p->db, sql_db_merge_tables, "write", say);
	if (rc == 0)
		rc = db_exec(p->db, "COMMIT", "write", say);
	return rc;
}

/* True if this user began the merge. Only then it is continued. */
static bool is_own(const struct merge_part *p)
{
	struct stat st;

	return fstat(p->lock, &st) == 0 && st.st_uid == geteuid();
}

int merge_part_open(struct merge_part *p, const char *path,
	bool (*fits)(sqlite3 *db, void *context), void *context, const struct say *say)
{
	int rc;

	p->db = NULL;
	p->resumed = false;
	if (snprintf(p->path, sizeof p->path, "%s.merging", path) >=
		(int)sizeof p->path - HOST_CHARS - 32)
		return -ENAMETOOLONG;
	if (!lock_file(p)) {
		/* another process merges the same files: each makes its own database */
		if (!lock_own_file(p)) {
			rc = errno ? -errno : -EAGAIN;
			say_line(say, "cannot make '%s': %s", p->path, strerror(-rc));
			return rc;
		}
	}
	p->resumed = is_own(p) && open_sqlite(p) == 0 && fits(p->db, context);
	if (p->resumed)
		return 0;
	sqlite3_close(p->db);
	p->db = NULL;
	rc = part_make(p, say);
	if (rc)
		merge_part_drop(p);
	return rc;
}

static void part_release(struct merge_part *p)
{
	if (p->lock >= 0)
		close(p->lock);
	p->lock = -1;
}

int merge_part_finish(struct merge_part *p, const char *path, const struct say *say)
{
	int rc = db_exec(p->db, sql_merge_part_done, "write", say);
	char journal[PATH_MAX + 16];

	if (db_close(p->db) != 0 && rc == 0) {
		rc = -EIO;
		say_line(say, "cannot write '%s': %s", p->path, strerror(EIO));
	}
	p->db = NULL;
	/* an old journal of `path` would roll the new database back */
	snprintf(journal, sizeof journal, "%s-journal", path);
	if (rc == 0)
		unlink(journal);
	if (rc == 0 && rename(p->path, path) != 0) {
		rc = -errno;
		say_line(say, "cannot rename '%s' to '%s': %s", p->path, path, strerror(-rc));
	}
	if (rc)
		remove_file(p->path);
	else
		remove_left(path);
	part_release(p);
	return rc;
}

void merge_part_drop(struct merge_part *p)
{
	sqlite3_close(p->db);
	p->db = NULL;
	remove_file(p->path);
	part_release(p);
}
