/* SPDX-License-Identifier: BSD-3-Clause */
/* codes.c: maps SQLite's result codes to errnos (codes.h). */
#include "analysis/format/db/codes.h"

#include <errno.h>

/* If COMMIT fails, the connection loses errno, but the file keeps it. */
static int system_error(sqlite3 *db)
{
	int error = db ? sqlite3_system_errno(db) : 0;

	if (db && error == 0)
		sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
	return error;
}

/* The bits of a primary result code. The other bits are its detail. */
enum { SQLITE_PRIMARY = 0xff };

/* The negative errno of a code that is a failure. */
static int errno_of(sqlite3 *db, int code)
{
	int error = system_error(db);

	switch (code & SQLITE_PRIMARY) {
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
	case SQLITE_ERROR:
		return -ENOTSUP;
	case SQLITE_CONSTRAINT:
		return -EEXIST;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_FORMAT:
	case SQLITE_INTERRUPT: /* db_limit_steps() */
		return -EINVAL;
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		return error ? -error : -EIO;
	default:
		return -EIO;
	}
}

int db_errno(sqlite3 *db, int code)
{
	return code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE ? 0 :
										errno_of(db, code);
}
