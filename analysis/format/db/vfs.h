/* SPDX-License-Identifier: BSD-3-Clause */
/* vfs.h: limits the files that SQLite may open, make and remove (see vfs.c). */
#ifndef TRYST_FORMAT_DB_VFS_H
#define TRYST_FORMAT_DB_VFS_H

#include <stdbool.h>
#include <stddef.h>
#include <sqlite3.h>

/*
 * The absolute name of `path` in full[size], without following links. SQLite takes no other name
 * for a file, also in ATTACH. 0 or a negative errno.
 */
int db_vfs_name(const char *path, char *full, size_t size);

/*
 * Opens the database `path`, which must exist, through our VFS. flags: SQLITE_OPEN_READONLY or
 * SQLITE_OPEN_READWRITE, and SQLITE_OPEN_NOMUTEX or SQLITE_OPEN_FULLMUTEX. locks: false takes none,
 * for files that nobody else knows and for file systems without them. Returns 0 or a negative
 * errno; *out is to be closed with sqlite3_close() in any case.
 */
int db_vfs_open(const char *path, int flags, bool locks, sqlite3 **out);

/*
 * True if SQLite must not open the database `path`, with why in reason[size]: it is no regular
 * file, is in WAL mode, or has a journal that tryst does not leave. `writes`: it will be opened for
 * writing. False also if the file cannot be opened: SQLite reports that.
 */
bool db_vfs_refuses(const char *path, bool writes, char *reason, size_t size);

#endif
