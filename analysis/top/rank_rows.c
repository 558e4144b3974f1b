/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_rows.c: reads how a rank ended from its file of rows (rank_rows.h). */
#include <config.h>

#include "analysis/top/rank_rows.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/format/db/db.h"
#include "analysis/format/run/run_dir.h"

static enum rows_end end_of(sqlite3 *db, int32_t rank)
{
	char process[16];

	if (db_run_int(db, rank, "exited", 0))
		return ROWS_EXITED;
	if (db_run_value(db, rank, "process", process, sizeof(process)) == 0 &&
		strcmp(process, "dead") == 0)
		return ROWS_DIED;
	return ROWS_ENDED;
}

void rank_rows_look(struct rank_rows *rows, struct live *live)
{
	char path[PATH_MAX];
	struct stat st;
	int64_t size;
	sqlite3 *db;

	if (run_rank_path(live->dir, live->rank, "db", path, sizeof(path)) != 0 ||
		stat(path, &st) != 0) {
		*rows = (struct rank_rows){ 0 };
		return;
	}
	if (rows->ino == st.st_ino && rows->modified.tv_sec == st.st_mtim.tv_sec &&
		rows->modified.tv_nsec == st.st_mtim.tv_nsec)
		return;
	*rows = (struct rank_rows){ .ino = st.st_ino, .modified = st.st_mtim };
	live->run_id = 0;
	live->pid = 0;
	live->host[0] = '\0';
	if (db_open(path, DB_READ, &db, NULL) != 0)
		return;
	rows->end = end_of(db, live->rank);
	size = db_run_int(db, live->rank, "world_size", 0);
	rows->world_size = size > 0 && size <= DB_RANK_MAX + 1 ? (int32_t)size : 0;
	live->pid = db_run_int(db, live->rank, "pid", 0);
	if (db_run_value(db, live->rank, "host", live->host, sizeof(live->host)) != 0)
		live->host[0] = '\0';
	db_run_id(db, &live->run_id);
	db_close(db);
}
