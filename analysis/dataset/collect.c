/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.c: rows for ranks that never wrote them: killed, hung, still running, or told not to. */
#include <config.h>

#include "analysis/dataset/collect.h"
#include "analysis/dataset/site.h"
#include "analysis/text/progress.h"
#include "analysis/symbols/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/format/rows/rows.h"
#include "analysis/format/run/run_dir.h"

bool collect_may_write(const char *dir)
{
	return access(dir, W_OK | X_OK) == 0;
}

bool collect_lacks_room(int rc)
{
	return rc == -ENOSPC || rc == -EDQUOT || rc == -EROFS || rc == -EACCES;
}

void collect_say_none(const char *dir, const struct say *say)
{
	uint64_t id;

	if (run_dir_id(dir, &id) == 0)
		say_line(say, "a run began in '%s', but no rank's file is there", dir);
	else if (!site_say(dir, say))
		say_line(say, "'%s' holds no run of tryst", dir);
}

static int copy_file(const char *from, const char *to)
{
	int in = file_open_regular(AT_FDCWD, from, O_RDONLY | O_NOFOLLOW, NULL), out, rc = 0;
	ssize_t n = 1;

	if (in < 0)
		return -errno;
	out = file_open(AT_FDCWD, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);
	if (out < 0)
		rc = -errno;
	while (rc == 0 && n > 0) {
		n = sendfile(out, in, NULL, 1 << 24);
		if (n < 0)
			rc = -errno;
	}
	if (out >= 0 && close(out) != 0 && rc == 0)
		rc = -errno;
	close(in);
	return rc;
}

/* Copies the ring first: the spool's copy then has all chunks that the ring calls written. */
static int copy_rank(const char *dir, int32_t rank, const char *scratch)
{
	static const char *const suffixes[] = { "ring", "spool" };
	char from[PATH_MAX], to[PATH_MAX];
	int copied = 0;

	for (int i = 0; i < 2; i++) {
		int rc = run_rank_path(dir, rank, suffixes[i], from, sizeof from);

		if (rc == 0)
			rc = run_rank_path(scratch, rank, suffixes[i], to, sizeof to);
		if (rc == 0)
			rc = copy_file(from, to);
		if (rc != 0 && rc != -ENOENT)
			return rc;
		copied += rc == 0;
	}
	return copied ? 0 : -ENOENT;
}

/* Names the callsites in the rank file. Returns 0, or a negative errno of opening it, printed. */
static int name_callsites(const char *dir, int32_t rank, const struct say *say)
{
	char path[PATH_MAX];
	sqlite3 *db;

	int rc = run_rank_path(dir, rank, "db", path, sizeof path);

	if (rc == 0)
		rc = db_open(path, DB_WRITE, &db, say);
	if (rc)
		return rc;
	resolve_callsites(db, say);
	sqlite3_close(db);
	return 0;
}

/* Makes the rank's rows in the temporary directory. r->dir then points there. */
static int collect_copy(struct db_rank *r, const struct collect_options *o,
	const struct rows_options *options, const struct say *say, struct rows_result *rows)
{
	int rc = copy_rank(r->dir, r->rank, o->scratch->path);

	if (rc) {
		say_line(say, "cannot copy rank %d of '%s': %s; it is left out", r->rank, r->dir,
			strerror(-rc));
		return rc;
	}
	r->dir = o->scratch->path;
	return rows_write(r->dir, r->rank, options, rows, say);
}

/* *full: a directory that has no room. It is named once and not tried again. */
static int collect_rank(struct db_rank *r, const struct collect_options *o, const char **full,
	const struct say *say, struct rows_result *rows)
{
	struct rows_options options = { .ended = o->ended };
	int rc;

	if (*full && strcmp(*full, r->dir) == 0) {
		rc = collect_copy(r, o, &options, say, rows);
	} else if (collect_may_write(r->dir)) {
		rc = rows_write(r->dir, r->rank, &options, rows, say);
		if (collect_lacks_room(rc) && o->scratch && temporary_make(o->scratch, NULL) == 0) {
			say_line(say, "from rank %d on '%s' is collected in '%s' for now", r->rank,
				r->dir, o->scratch->path);
			*full = r->dir;
			rc = collect_copy(r, o, &options, say, rows);
		}
	} else {
		int refused = errno;

		rc = o->scratch ? temporary_make(o->scratch, NULL) : -ENOTSUP;
		if (rc) {
			say_line(say, "cannot write in '%s': %s; rank %d is left out", r->dir,
				strerror(refused), r->rank);
			return -EACCES;
		}
		rc = collect_copy(r, o, &options, say, rows);
	}
	if (rc == 0) {
		r->has_rows = true;
		(void)name_callsites(r->dir, r->rank, say);
	}
	return rc;
}

/* Removes the unfinished files of killed writers from the ranks' directories, each once. */
static void sweep(const struct db_ranks *list)
{
	const char *last = NULL;

	for (uint32_t i = 0; i < list->nranks; i++) {
		const char *dir = list->rank[i].dir;

		if ((!last || strcmp(dir, last) != 0) && collect_may_write(dir))
			rows_sweep(dir);
		last = dir;
	}
}

void collect_ranks(struct db_ranks *list, const struct collect_options *options,
	const struct say *say, struct collect_result *result)
{
	const char *full = NULL;

	memset(result, 0, sizeof *result);
	result->ranks = list->nranks;
#ifdef M_MMAP_THRESHOLD
	/*
	 * By default glibc would clear megabytes of tables again for each rank. Small ranks hardly
	 * touch them.
	 */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
	sweep(list);
	for (uint32_t i = 0; i < list->nranks; i++) {
		struct db_rank *r = &list->rank[i];
		struct rows_result rows = { 0 };
		int rc;

		progress("collecting rank", i + 1, list->nranks);
		if (!r->has_ring) {
			if (options->name_all && collect_may_write(r->dir))
				result->failed += name_callsites(r->dir, r->rank, say) != 0;
			continue;
		}
		rc = collect_rank(r, options, &full, say, &rows);
		if (rc == 0) {
			result->written++;
			result->unfinished += rows.unfinished;
			result->ops += rows.ops;
			result->pending += rows.pending;
		} else if (rc != -ENOENT || !r->has_rows) {
			/* -ENOENT: the rank's own MPI_Finalize was faster and made the rows. */
			result->failed++;
		}
	}
	progress_end();
}
