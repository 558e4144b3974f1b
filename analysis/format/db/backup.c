/* SPDX-License-Identifier: BSD-3-Clause */
/* backup.c: copies all pages of a database into another one. */
#include <config.h>

#include <errno.h>

#include "analysis/format/db/codes.h"
#include "analysis/format/db/db.h"

enum { PAGES_A_STEP = 4096 };

int db_backup(sqlite3 *from, sqlite3 *to, void (*tell)(uint64_t pages, uint64_t of))
{
	sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
	int code, finished;

	if (!b)
		return db_last_error(to);
	while ((code = sqlite3_backup_step(b, PAGES_A_STEP)) == SQLITE_OK) {
		const int of = sqlite3_backup_pagecount(b);

		tell((uint64_t)(of - sqlite3_backup_remaining(b)), (uint64_t)of);
	}
	finished = sqlite3_backup_finish(b); /* knows of no SQLITE_BUSY */
	return db_errno(to, code == SQLITE_DONE ? finished : code);
}
