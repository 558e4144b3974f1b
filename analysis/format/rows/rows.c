/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.c: a rank's SQLite file, made whole under another name before it gets its own.
 *
 *	rank-000003.db.new-<host>-<pid>  --rename-->  rank-000003.db, then ring and spool go
 *
 * Nothing is synced: records outlive their process, not a power failure.
 */
#include "analysis/format/rows/rows.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/base/file.h"
#include "analysis/base/now.h"
#include "analysis/format/run/process.h"
#include "analysis/format/rows/internal.h"
#include "analysis/format/rows/queries.h"
#include "analysis/format/run/run_dir.h"

/* 4 KiB pages: 16 or 64 KiB ones write 5 % faster, but make an empty file a megabyte. */
enum { PAGE_BYTES = 4096 };

/*
 * Checks that `path` is a rank file of this run, or nothing. Returns 0 or a negative errno,
 * printed. *seen_ns: the time until which that file knows the rank, or 0. If the rank was killed
 * since, its records alone do not tell that time.
 */
static int check_old(const char *path, uint64_t run_id, int64_t *seen_ns, const struct say *say)
{
	struct db_steps steps;
	struct stat st;
	sqlite3 *old = NULL;
	uint64_t id = 0;
	int rc;

	*seen_ns = 0;
	if (lstat(path, &st) != 0) {
		rc = errno == ENOENT ? 0 : -errno;
		if (rc)
			say_line(say, "cannot write '%s': %s; its ring and spool are kept", path,
				strerror(-rc));
		return rc;
	}
	rc = db_open(path, DB_READ, &old, NULL);
	if (!rc) {
		db_limit_steps(old, &steps, (uint64_t)st.st_size);
		rc = db_run_id(old, &id);
	}
	if (!rc)
		*seen_ns = db_run_int(old, -1, "end_ns", 0);
	sqlite3_close(old);
	/* 0: the rank left a ring without a head, so nothing can be lost */
	if (rc || (id && id != run_id)) {
		say_line(say, "'%s' is not this run's and is left alone; ring and spool are kept",
			path);
		return -EEXIST;
	}
	return 0;
}

/* Fills the open database. Returns 0 or a negative errno; errors of reading records are printed. */
static int fill_database(
	sqlite3 *db, struct spool *spool, int64_t seen_ns, struct rows_result *result)
{
	struct rows *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return -ENOMEM;
	r->db = db;
	r->spool = spool;
	r->seen_ns = seen_ns;
	r->header = spool_header(spool);
	r->id_base = r->header->rank * IDS_OF_RANK;
	rc = rows_definitions(r);
	if (!rc)
		rc = rows_begin(r);
	if (!rc)
		rc = rows_records(r);
	if (!rc)
		rc = rows_end(r, result->unfinished);
	if (!rc)
		rc = rows_order(r);
	result->ops = (uint64_t)r->op_rows;
	rows_release(r);
	free(r);
	return rc;
}

/* Makes the file `name` whole. 0 or a negative errno, printed. */
static int write_file(const char *name, struct spool *spool, const struct rows_options *options,
	int64_t seen_ns, struct rows_result *result, const struct say *say)
{
	const int64_t begin_ns = now_ns(CLOCK_MONOTONIC);
	sqlite3 *db;
	int rc = db_create(name, 0666, PAGE_BYTES, &db, say);

	if (rc)
		return rc;
	rc = db_exec(db, "BEGIN", "write", say);
	if (!rc)
		rc = db_make_schema(db, say);
	if (!rc) {
		rc = fill_database(db, spool, seen_ns, result);
		/* the last commit and the renaming are not in it: no row can follow them */
		if (!rc && options->own)
			rc = db_run_set(db, spool_header(spool)->rank, "rows_ns",
				now_ns(CLOCK_MONOTONIC) - begin_ns);
		if (rc && !spool_damage(spool)->read_failed)
			db_say(db, rc, "write", say);
	}
	if (!rc)
		rc = db_exec(db, "COMMIT", "write", say);
	if (!rc)
		result->pending = (uint64_t)db_int(db, sql_rows_pending, 0);
	if (db_close(db) != 0 && !rc)
		rc = -EIO;
	return rc;
}

static void remove_records(struct spool *spool, const char *rank_dir, int32_t rank,
	struct rows_result *result, const struct say *say)
{
	int rc = spool_remove(spool);

	result->consumed = rc == 0;
	if (rc)
		say_line(say, "cannot remove ring and spool of rank %d in '%s': %s", (int)rank,
			rank_dir, strerror(-rc));
}

/* The last message, held back until it is known how the line ends. */
struct held {
	struct say say; /* for those who speak */
	const struct say *to;
	char text[1024];
};

static void hold(void *context, const char *text)
{
	struct held *held = context;

	if (held->text[0])
		say_line(held->to, "%s", held->text);
	snprintf(held->text, sizeof(held->text), "%s", text);
}

/* Passes the held line on. If the records stay, it also names the command that makes rows. */
static void let_go(struct held *held, bool stays, const char *rank_dir, int32_t rank)
{
	if (stays)
		say_line(held->to,
			"%s%sthe records of rank %d stay in ring and spool; 'tryst collect %s' "
			"makes rows of them",
			held->text, held->text[0] ? "; " : "", (int)rank, rank_dir);
	else if (held->text[0])
		say_line(held->to, "%s", held->text);
}

/* One attempt. -EAGAIN: the rank ended while its rows were written as those of a running one. */
static int write_once(const char *rank_dir, int32_t rank, const struct rows_options *options,
	struct rows_result *result, const struct say *to)
{
	struct held held = { .say = { hold, &held }, .to = to };
	const struct say *say = &held.say;
	char path[PATH_MAX], name[PATH_MAX];
	const struct ring_file *h;
	struct spool *spool;
	int64_t seen_ns;
	bool consume, stays = false;
	int rc = spool_open(rank_dir, rank, say, &spool);

	memset(result, 0, sizeof(*result));
	if (rc) {
		let_go(&held, options->own && rc != -ENOENT, rank_dir, rank);
		return rc;
	}
	h = spool_header(spool);
	consume = spool_may_consume(spool, options->ended);
	result->unfinished = !consume;
	result->clean_finalize = spool_state(spool) == SPOOL_CLOSED;
	result->dropped = h->dropped_ops + h->dropped_busy + h->dropped_collective +
		h->dropped_rma + h->dropped_io + h->dropped_other;
	rc = run_rank_path(rank_dir, rank, "db", path, sizeof(path));
	if (!rc)
		rc = file_new_name_free(path, name, sizeof(name));
	if (rc)
		say_line(say, "cannot write the rows of rank %d: %s", (int)rank, strerror(-rc));
	if (!rc)
		rc = check_old(path, h->run_id, &seen_ns, say);
	if (!rc) {
		rc = write_file(name, spool, options, seen_ns, result, say);
		if (!rc && !consume && spool_changed(spool)) {
			rc = -EAGAIN;
		} else if (!rc && rename(name, path) != 0) {
			rc = -errno;
			say_line(say, "cannot rename '%s' to '%s': %s", name, path, strerror(-rc));
		}
		if (rc)
			unlink(name);
		stays = rc && rc != -EAGAIN;
	}
	if (!rc && consume && !options->keep)
		remove_records(spool, rank_dir, rank, result, say);
	spool_close(spool);
	let_go(&held, stays, rank_dir, rank);
	return rc;
}

int rows_write(const char *rank_dir, int32_t rank, const struct rows_options *options,
	struct rows_result *result, const struct say *say)
{
	struct rows_result ignored;
	int rc;

	if (!result)
		result = &ignored;
	/* one more try is enough, since a rank ends once */
	rc = write_once(rank_dir, rank, options, result, say);
	if (rc == -EAGAIN)
		rc = write_once(rank_dir, rank, options, result, say);
	return rc;
}

/* The process in a name that file_new_name() made on this host; 0 for other names. */
static pid_t writer_of(const char *name, const char *host)
{
	const char *p = strstr(name, ".db.new-");
	char rank_file[32];
	char *end;
	long pid;

	if (!p ||
		snprintf(rank_file, sizeof(rank_file), "%.*s.db", (int)(p - name), name) >=
			(int)sizeof(rank_file))
		return 0;
	p += strlen(".db.new-");
	if (run_rank_of_name(rank_file, "db") < 0 || strncmp(p, host, strlen(host)) != 0 ||
		p[strlen(host)] != '-')
		return 0;
	pid = strtol(p + strlen(host) + 1, &end, 10);
	return *end || pid <= 0 || pid > INT32_MAX ? 0 : (pid_t)pid;
}

int rows_sweep(const char *rank_dir)
{
	const struct dirent *entry;
	char host[65] = "";
	DIR *d = opendir(rank_dir);
	int removed = 0;

	gethostname(host, sizeof(host) - 1);
	while (d && (entry = readdir(d))) {
		pid_t pid = writer_of(entry->d_name, host);

		if (pid && process_has_ended(pid))
			removed += unlinkat(dirfd(d), entry->d_name, 0) == 0;
	}
	if (d)
		closedir(d);
	return removed;
}
