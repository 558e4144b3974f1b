/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vfs.c: a database may come from anyone, with anything beside it. SQLite's own files around a
 * database are named by the database's name and by what a journal says:
 *
 *	x.db            opened, if it is a regular file
 *	x.db-journal    rolled back, if it is a regular file; its last bytes may name
 *	                a super-journal: SQLite opens that file and removes it
 *	x.db-wal -shm   opened, made, removed
 *
 * Through this VFS SQLite reaches the database and its journal and nothing else. It makes no
 * database. It writes no file that has a second name, which may be another file of the user's.
 * Temporary files without a name are SQLite's own and pass. All other work is done by the VFS
 * "unix".
 *
 * Somebody may exchange a file between check and opening. Even then no file but the journal is
 * removed: super-journals are refused by their kind, and "unix" follows no link at the end of a
 * path.
 */
#include "analysis/format/db/vfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/format/db/codes.h"
#include "analysis/format/db/sqlite_format.h"

static const char journal_suffix[] = "-journal";
static const uint8_t journal_magic[8] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };

enum { JOURNAL_HEADER = 28, SUPER_TRAILER = 16 };

/* Length of the database's name in the name of its journal; 0: it is no journal's. */
static size_t journal_of(const char *name)
{
	size_t length = strlen(name), suffix = sizeof(journal_suffix) - 1;

	return length > suffix && strcmp(name + length - suffix, journal_suffix) == 0 ?
		length - suffix :
		0;
}

/*
 * Header: magic, records, checksum, the database's pages before the transaction, sector, bytes of a
 * page. End, if there is a super-journal: its name, the name's length, checksum, magic. Our
 * databases never shrink, so the file has all the pages that it had before.
 */
static const char *judge_journal(int fd, uint64_t bytes, uint64_t db_bytes)
{
	uint8_t head[JOURNAL_HEADER] = { 0 }, end[sizeof(journal_magic)] = { 0 };

	if (bytes < SUPER_TRAILER || file_read(fd, head, sizeof(head), 0) <= 0 || head[0] == 0)
		return NULL; /* SQLite rolls nothing back */
	if (file_read(fd, end, sizeof(end), bytes - sizeof(end)) == (ssize_t)sizeof(end) &&
		memcmp(end, journal_magic, sizeof(end)) == 0)
		return "names another file";
	if (memcmp(head, journal_magic, sizeof(journal_magic)) == 0 &&
		(uint64_t)get32(head + 16) * get32(head + 24) > db_bytes)
		return "has more pages than the database";
	return NULL;
}

/* Why the journal of the database `path` must not be used; NULL: it may, or there is none. */
static const char *refuse_journal(const char *path)
{
	char journal[PATH_MAX + sizeof(journal_suffix)];
	struct stat st, db;
	const char *why;
	int fd;

	if (snprintf(journal, sizeof(journal), "%s%s", path, journal_suffix) >=
		(int)sizeof(journal))
		return "has too long a name";
	if (lstat(journal, &st) != 0)
		return NULL;
	if (!S_ISREG(st.st_mode))
		return "is not a regular file";
	if (st.st_nlink > 1)
		return "has several names (hard links)";
	fd = file_open(AT_FDCWD, journal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) != 0 || stat(path, &db) != 0)
		why = NULL;
	else
		why = judge_journal(fd, (uint64_t)st.st_size, (uint64_t)db.st_size);
	close(fd);
	return why;
}

/* Byte 19 of the header: 2 where a write-ahead log has the newest rows. */
static bool has_log(const char *path)
{
	int fd = file_open(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	uint8_t head[FILE_HEADER] = { 0 };
	bool has = fd >= 0 && file_read(fd, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
		memcmp(head, "SQLite format 3", 16) == 0 && head[19] == 2;

	if (fd >= 0)
		close(fd);
	return has;
}

bool db_vfs_refuses(const char *path, bool writes, char *reason, size_t size)
{
	struct stat st;
	const char *why;

	if (lstat(path, &st) != 0)
		return false;
	if (!S_ISREG(st.st_mode)) {
		snprintf(reason, size, "not a regular file");
	} else if (has_log(path)) {
		snprintf(reason, size,
			"in WAL mode, in which tryst leaves no file: sqlite3 '%s' 'PRAGMA "
			"journal_mode = DELETE' ends that, if you trust the file",
			path);
	} else if (writes && st.st_nlink > 1) {
		snprintf(reason, size,
			"it has several names (hard links), and all would be written: copy it");
	} else if ((why = refuse_journal(path))) {
		snprintf(reason, size,
			"its journal %s, as tryst's never does: without '%s%s' it is read as it is",
			why, path, journal_suffix);
	} else {
		return false;
	}
	return true;
}

static sqlite3_vfs *base_of(sqlite3_vfs *vfs)
{
	return vfs->pAppData;
}

static bool may_open(const char *name, int flags)
{
	char db[PATH_MAX];
	struct stat st;
	size_t length;

	if (!name)
		return true; /* a temporary file, whose name the VFS chooses */
	if (flags & SQLITE_OPEN_MAIN_DB)
		return !(flags & SQLITE_OPEN_CREATE) && lstat(name, &st) == 0 &&
			S_ISREG(st.st_mode) &&
			(!(flags & SQLITE_OPEN_READWRITE) || st.st_nlink == 1);
	length = flags & SQLITE_OPEN_MAIN_JOURNAL ? journal_of(name) : 0;
	return length && snprintf(db, sizeof(db), "%.*s", (int)length, name) < (int)sizeof(db) &&
		!refuse_journal(db);
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	file->pMethods = NULL;
	return may_open(name, flags) ? base_of(vfs)->xOpen(base_of(vfs), name, file, flags, out) :
				       SQLITE_CANTOPEN;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	return journal_of(name) ? base_of(vfs)->xDelete(base_of(vfs), name, sync) :
				  SQLITE_IOERR_DELETE;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
	*out = 0;
	return journal_of(name) ? base_of(vfs)->xAccess(base_of(vfs), name, flags, out) : SQLITE_OK;
}

/* The path as it was given: "unix" would put what a link points to in the place of the link. */
static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
	char here[PATH_MAX] = "";
	bool relative = name[0] != '/';

	(void)vfs;
	if (relative && !getcwd(here, sizeof(here)))
		return SQLITE_CANTOPEN;
	return snprintf(out, (size_t)size, "%s%s%s", here, relative ? "/" : "", name) < size ?
		SQLITE_OK :
		SQLITE_CANTOPEN;
}

static struct {
	sqlite3_vfs vfs;
	const char *name, *base;
} ours[] = { { .name = "tryst-none", .base = "unix-none" }, { .name = "tryst", .base = "unix" } };

/* The methods that are not replaced do not look at the VFS that they are called with. */
static void register_ours(void)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		sqlite3_vfs *base = sqlite3_vfs_find(ours[i].base), *vfs = &ours[i].vfs;

		if (!base)
			continue;
		*vfs = *base;
		vfs->pNext = NULL;
		vfs->zName = ours[i].name;
		vfs->pAppData = base;
		vfs->xOpen = vfs_open;
		vfs->xDelete = vfs_delete;
		vfs->xAccess = vfs_access;
		vfs->xFullPathname = vfs_full_pathname;
		sqlite3_vfs_register(vfs, 0);
	}
}

/* SQLite reads "file:..." as a URI, which may name another file and another VFS. */
int db_vfs_name(const char *path, char *full, size_t size)
{
	return db_errno(NULL, vfs_full_pathname(NULL, path, (int)size, full));
}

int db_vfs_open(const char *path, int flags, bool locks, sqlite3 **out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char full[PATH_MAX];
	int code, rc = db_vfs_name(path, full, sizeof(full));

	*out = NULL;
	if (rc)
		return rc;
	pthread_once(&once, register_ours);
	code = sqlite3_open_v2(full, out, flags, ours[locks].name);
	return db_errno(*out, code);
}
