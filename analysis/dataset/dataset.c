/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset.c: from what the user names to a database that answers (dataset.h). */
#include <config.h>

#include "analysis/dataset/collect.h"
#include "analysis/dataset/dataset.h"
#include "analysis/dataset/queries.h"
#include "analysis/merge/merge.h"
#include "analysis/pack/pack.h"
#include "analysis/dataset/site.h"
#include "analysis/dataset/started.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/base/file.h"
#include "analysis/format/db/pages.h"
#include "analysis/format/db/ranges.h"
#include "analysis/format/run/run_dir.h"
#include "analysis/text/sql_functions.h"

/*
 * True if a merge may put its database at `path`: nothing is there, or a database of tryst's,
 * damaged or not. Other files and devices are never replaced.
 */
static bool may_replace(const char *path)
{
	unsigned char head[72] = { 0 };
	int fd = file_open_regular(AT_FDCWD, path, O_RDONLY, NULL);
	ssize_t n;
	uint32_t id;

	if (fd < 0)
		return errno == ENOENT;
	n = file_read(fd, head, sizeof head, 0);
	close(fd);
	/* SQLite's header: a name, and the application's id at byte 68, big-endian */
	id = (uint32_t)head[68] << 24 | (uint32_t)head[69] << 16 | (uint32_t)head[70] << 8 |
		head[71];
	return n == 0 || (memcmp(head, "SQLite format 3", 16) == 0 && id == DB_APPLICATION_ID);
}

/* The records of a rank, under their own name or another one, are what databases are made from. */
static bool is_of_a_rank(const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	struct pages_file file;
	bool has;

	if (fnmatch("rank-*.db", name, 0) == 0)
		return access(path, F_OK) == 0;
	if (pages_open(path, &file) != 0)
		return false;
	has = pages_root(&file, "op_row") && !pages_root(&file, "merge_info");
	pages_close(&file);
	return has;
}

void dataset_close(struct dataset *d)
{
	sqlite3_close(d->db);
	temporary_remove(&d->scratch);
	free(d->dir);
	free(d->path);
	memset(d, 0, sizeof *d);
}

static int open_empty(struct dataset *d, const struct say *say)
{
	d->empty = true;
	if (db_open_memory(&d->db) != 0)
		return -ENOMEM;
	return db_make_schema(d->db, say);
}

/* Opens the run.db that an earlier command made of these files. A negative errno: there is none. */
static int open_current(
	struct dataset *d, const struct db_ranks *list, uint64_t max_ops, const struct say *say)
{
	int rc;

	if (access(d->path, F_OK) != 0)
		return -ENOENT;
	rc = db_open(d->path, DB_READ, &d->db, NULL);
	if (rc == 0 && !merge_is_current(d->db, list, max_ops)) {
		rc = db_last_error(d->db);
		if (rc == 0 || rc == -EBUSY || rc == -ENOTSUP)
			rc = -ESTALE;
		else if (rc != -EINVAL)
			rc = -EIO;
		sqlite3_close(d->db);
		d->db = NULL;
	}
	/* the results of tryst analyze in the old file are lost */
	if (rc == -EIO || (rc == -EINVAL && may_replace(d->path)))
		say_line(say, "cannot read '%s': %s; it is made anew", d->path,
			rc == -EIO ? strerror(EIO) : "damaged");
	return rc;
}

static int choose_scratch(struct dataset *d, const struct say *say)
{
	int rc = temporary_make(&d->scratch, say);

	free(d->path);
	d->path = NULL;
	if (rc)
		return rc;
	d->temporary = true;
	return asprintf(&d->path, "%s/" RUN_DB_FILE, d->scratch.path) < 0 ?
		(d->path = NULL, -ENOMEM) :
		0;
}

static int choose_path(struct dataset *d, const struct dataset_options *o, const struct say *say)
{
	bool own = false;

	if (o->db) {
		d->path = strdup(o->db);
		if (!d->path)
			return -ENOMEM;
		own = may_replace(d->path);
		if (own && !is_of_a_rank(d->path))
			return 0;
		say_line(say,
			own ? "'%s' has a rank's records: it is left alone" :
			      "'%s' is there and is not tryst's: it is left alone",
			d->path);
		return -EEXIST;
	}
	if (collect_may_write(d->dir)) {
		if (asprintf(&d->path, "%s/" RUN_DB_FILE, d->dir) < 0) {
			d->path = NULL;
			return -ENOMEM;
		}
		own = may_replace(d->path);
		if (!own)
			say_line(say, "'%s' is not tryst's: it is left alone", d->path);
	}
	if (own)
		return 0;
	return choose_scratch(d, say);
}

static int merge_and_open(struct dataset *d, const struct db_ranks *list,
	const struct dataset_options *o, const struct say *say)
{
	struct merge_result result;
	int rc = merge_ranks(list, d->path, o->max_ops ? o->max_ops : MERGE_MAX_OPS, say, &result);

	if (rc == -ENODATA) {
		say_line(say, "no rank file in '%s' can be used", d->dir);
		return rc;
	}
	return rc ? rc : db_open(d->path, DB_READ, &d->db, say);
}

/* Merges into the run's directory; without room there, elsewhere, unless the user named the place.
 */
static int merge_somewhere(struct dataset *d, const struct db_ranks *list,
	const struct dataset_options *o, const struct say *say)
{
	int rc = merge_and_open(d, list, o, say);

	if (!collect_lacks_room(rc) || o->db || d->temporary)
		return rc;
	if (choose_scratch(d, say) != 0)
		return rc;
	say_line(say, "the database is made in '%s' for now; --db FILE keeps it elsewhere",
		d->scratch.path);
	return merge_and_open(d, list, o, say);
}

/* Opens a run.db whose rank files are gone. Nothing is lost with them. */
static int open_without_ranks(struct dataset *d, const struct say *say)
{
	if (asprintf(&d->path, "%s/" RUN_DB_FILE, d->dir) < 0) {
		d->path = NULL;
		return -ENOMEM;
	}
	if (access(d->path, F_OK) == 0)
		return db_open(d->path, DB_READ, &d->db, say);
	if (started_any(d->dir))
		return open_empty(d, say);
	collect_say_none(d->dir, say);
	return -ENOENT;
}

static int open_directory(struct dataset *d, const struct dataset_options *o, const struct say *say)
{
	struct collect_options collect = { .ended = o->ended };
	struct collect_result collected;
	struct db_ranks list = { 0 };
	bool reads_only = false;
	int rc;

	if (access(d->dir, F_OK) != 0 && started_any(d->dir))
		return open_empty(d, say);
	rc = db_ranks_list(d->dir, &list, say);
	if (rc)
		return rc;
	if (list.nranks == 0) {
		rc = open_without_ranks(d, say);
		goto out;
	}
	for (uint32_t i = 0; i < list.nranks; i++)
		reads_only |= list.rank[i].has_ring && !collect_may_write(list.rank[i].dir);
	if (reads_only && temporary_make(&d->scratch, say) != 0) {
		rc = -EACCES;
		goto out;
	}
	collect.scratch = &d->scratch;
	collect_ranks(&list, &collect, say, &collected);
	rc = choose_path(d, o, say);
	if (rc)
		goto out;
	if (o->fresh || open_current(d, &list, o->max_ops, say) != 0)
		rc = merge_somewhere(d, &list, o, say);
out:
	db_ranks_release(&list);
	return rc;
}

/* Unpacks an archive of tryst pack, and opens its database. */
static int open_archive(struct dataset *d, const char *path, const struct say *say)
{
	int rc = choose_scratch(d, say);

	if (!rc)
		rc = pack_read(path, d->path, say);
	return rc ? rc : db_open(d->path, DB_READ, &d->db, say);
}

static int open_file(struct dataset *d, const char *path, const struct say *say)
{
	if (pack_is_archive(path))
		return open_archive(d, path, say);
	if (site_say(path, say))
		return -EINVAL;
	d->path = strdup(path);
	if (!d->path)
		return -ENOMEM;
	return db_open(path, DB_READ, &d->db, say);
}

/* Did any rank leave a file? If MPI failed to spawn processes, only their directory exists. */
static bool has_ranks(const char *dir)
{
	struct db_ranks list = { 0 };
	bool any = db_ranks_list(dir, &list, NULL) == 0 && list.nranks > 0;

	db_ranks_release(&list);
	return any;
}

/* Temp table world(path): processes that MPI spawned have directories of their own. */
static int list_worlds(struct dataset *d)
{
	char path[PATH_MAX];
	DIR *dir = d->dir ? opendir(d->dir) : NULL;
	struct dirent *entry;
	sqlite3_stmt *s = NULL;
	int rc = db_exec_quiet(d->db, sql_dataset_world);

	if (!rc)
		rc = db_prepare_insert(d->db, DB_INSERT, "world", &s);
	while (!rc && dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "world-", 6) != 0 ||
			snprintf(path, sizeof(path), "%s/%s", d->dir, entry->d_name) >=
				(int)sizeof(path) ||
			!has_ranks(path))
			continue;
		sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC);
		rc = db_execute(s);
	}
	sqlite3_finalize(s);
	if (dir)
		closedir(dir);
	return rc ? -EINVAL : 0;
}

/* Tables that the queries of a report rely on, whatever was opened. */
static int add_tables(struct dataset *d)
{
	if (db_exec_quiet(d->db, "PRAGMA temp_store = MEMORY") != 0)
		return -EINVAL;
	if (!db_has_table(d->db, "input") && db_exec_quiet(d->db, sql_dataset_input) != 0)
		return -EINVAL;
	if (list_worlds(d) != 0)
		return -EINVAL;
	/* if MPI_Init returned on no rank, no mark was moved into the directory */
	return started_list(
		d->db, d->dir, d->empty || db_int(d->db, sql_dataset_all_in_init, 0) == 1);
}

/* Counts what the database lacks, and prints that first. */
static int tell_losses(struct dataset *d, const struct dataset_options *o, const struct say *say)
{
	const struct say *to = o->tells ? NULL : say;
	sqlite3_stmt *s;
	int64_t cut;

	if (sql_functions_add(d->db) != 0)
		return -EINVAL;
	cut = db_int(d->db, sql_dataset_cut, -1);
	if (cut < 0)
		return -EINVAL;
	d->incomplete = d->empty || cut > 0;
	if (db_prepare(d->db, sql_dataset_absent, &s) != 0)
		return -EINVAL;
	while (db_step(s) > 0) {
		d->incomplete |= sqlite3_column_int(s, 0) == 1;
		say_line(to, "%s", (const char *)sqlite3_column_text(s, 1));
	}
	merge_tell(d->db, to);
	return db_finalize(s) == 0 ? 0 : -EINVAL;
}

int dataset_open(const char *path, const struct dataset_options *options, const struct say *say,
	struct dataset *out)
{
	struct stat st;
	int rc;

	memset(out, 0, sizeof *out);
	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		rc = open_file(out, path, say);
	} else {
		out->dir = strdup(path);
		rc = out->dir ? open_directory(out, options, say) : -ENOMEM;
	}
	/* Queries check no values. So a database with an impossible value is refused. */
	if (rc == 0)
		rc = db_ranges_hold(out->db,
			options->analyzes ? db_ranges_for_analysis() : db_ranges, "read",
			out->path ? out->path : path, say);
	if (rc == 0) {
		rc = add_tables(out);
		if (rc == 0)
			rc = tell_losses(out, options, say);
		if (rc)
			say_line(say, "cannot read '%s': %s", out->path ? out->path : path,
				sqlite3_errmsg(out->db));
	}
	if (rc)
		dataset_close(out);
	return rc;
}
