/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fill.c: the names of callsites, from run.db back to the file of a rank (fill.h).
 *
 * A rank cannot name callsites itself, since the preloaded library reads no debug information. The
 * merge has named them for all ranks, so each file gets its names without another look at a binary.
 */
#include <config.h>

#include "analysis/merge/fill.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/format/run/process.h"
#include "analysis/symbols/resolve.h"

/*
 * Calls after MPI_Finalize are added to the file: a live process may still write to it. This host
 * cannot see a process on another host, and some file systems do not share locks between hosts.
 */
static bool writer_has_ended(sqlite3 *run_db, int32_t rank)
{
	struct ring_file h = { 0 };
	char pid[24];

	if (db_run_value(run_db, rank, "boot_id", h.boot_id, sizeof h.boot_id) != 0 ||
		db_run_value(run_db, rank, "pid", pid, sizeof pid) != 0)
		return false;
	h.pid = strtoll(pid, NULL, 10);
	return process_look(&h) == PROCESS_DEAD;
}

/* Is the file still the one of `st`? */
static bool is_still(const char *path, const struct stat *st)
{
	struct stat now;

	return lstat(path, &now) == 0 && S_ISREG(now.st_mode) && now.st_dev == st->st_dev &&
		now.st_ino == st->st_ino && now.st_size == st->st_size &&
		now.st_mtim.tv_sec == st->st_mtim.tv_sec &&
		now.st_mtim.tv_nsec == st->st_mtim.tv_nsec;
}

/* If this fails, the caller closes the connection, and that undoes the transaction. */
static int write_names(sqlite3 *run_db, sqlite3 *to, int32_t rank, const char *path,
	const struct stat *st, bool *changed)
{
	int rc = db_exec_quiet(to, "BEGIN IMMEDIATE");

	if (rc == 0 && !is_still(path, st))
		rc = -ESTALE;
	if (rc == 0)
		rc = resolve_copy(run_db, to, rank);
	if (rc == 0)
		rc = db_exec_quiet(to, "COMMIT");
	*changed = rc == 0 && sqlite3_total_changes(to) > 0;
	return rc;
}

bool fill_names(sqlite3 *run_db, int32_t rank, const char *path, struct stat *st)
{
	const ino_t inode = st->st_ino;
	struct db_steps steps;
	bool changed = false;
	sqlite3 *to;

	if (st->st_uid != geteuid() || access(path, W_OK) != 0 || !writer_has_ended(run_db, rank) ||
		db_open(path, DB_WRITE, &to, NULL) != 0)
		return false;
	db_limit_steps(to, &steps, (uint64_t)st->st_size);
	(void)write_names(run_db, to, rank, path, st, &changed);
	sqlite3_close(to);
	return changed && lstat(path, st) == 0 && st->st_ino == inode;
}
