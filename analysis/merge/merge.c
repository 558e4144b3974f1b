/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.c: run.db from rank files, each looked at, copied (copy.c) and noted in `input`.
 *
 *	rank-000000.db --\
 *	rank-000001.db ---+--> run.db.merging --rename--> run.db
 *	rank-000002.db --/
 */
#include <config.h>

#include "analysis/merge/merge.h"
#include "analysis/merge/copy.h"
#include "analysis/merge/fill.h"
#include "analysis/merge/part.h"
#include "analysis/merge/small.h"
#include "analysis/text/progress.h"
#include "analysis/symbols/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/ranks/bounds.h"
#include "analysis/base/file.h"
#include "analysis/format/db/pages.h"
#include "analysis/format/db/queries.h"
#include "analysis/format/db/ranges.h"
#include "analysis/format/run/run_dir.h"
#include "analysis/merge/queries.h"
#include "fnv.h"

struct merge {
	struct copy copy;
	struct small *small; /* NULL: not to be had */
	struct db_ranges_query ranges;
	const struct db_ranks *list;
	uint64_t max_ops;
	const struct say *say;
	uint64_t run_id;
	bool has_run_id;
	int64_t world_size; /* as most of the files that were asked say; 0: unknown */
	bool resumed;       /* an earlier merge was interrupted */
};

enum rank_state { RANK_WHOLE, RANK_UNFINISHED, RANK_PARTIAL, RANK_LEFT_OUT };

/* What happened to one rank. */
struct outcome {
	enum rank_state state;
	char reason[256];
	uint64_t ops_left_out;
	bool noted;   /* in table input */
	bool refused; /* the system refused to open it, perhaps only for now */
};

static int64_t mtime_ns(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* Are the first columns of the row, the size and time of the merged file, those of `st`? */
static bool has_size_and_time(sqlite3_stmt *s, const struct stat *st)
{
	return sqlite3_column_int64(s, 0) == st->st_size &&
		sqlite3_column_int64(s, 1) == mtime_ns(st);
}

/* Keys of table run of the rank's file, in `schema` of this connection. */
struct identity {
	int64_t rank;       /* -1: none */
	int64_t world_size; /* 0: unknown */
	uint64_t run_id;
	bool has_run_id, unfinished;
	char damage[160]; /* why the table could not be read, or "" */
};

static void identify(sqlite3 *db, const char *schema, struct identity *id)
{
	sqlite3_stmt *s = NULL;
	char sql[200];

	*id = (struct identity){ .rank = -1 };
	sqlite3_snprintf(sizeof sql, sql, sql_merge_identity, schema);
	if (db_prepare(db, sql, &s) == 0 && db_step(s) > 0) {
		const char *text = (const char *)sqlite3_column_text(s, 1);

		if (sqlite3_column_type(s, 0) != SQLITE_NULL)
			id->rank = sqlite3_column_int64(s, 0);
		id->has_run_id = text && sscanf(text, "%16" SCNx64, &id->run_id) == 1;
		id->unfinished = sqlite3_column_int(s, 2) == 1;
		id->world_size = sqlite3_column_int64(s, 3);
	} else {
		snprintf(id->damage, sizeof id->damage, "%s", sqlite3_errmsg(db));
	}
	sqlite3_finalize(s);
}

/* The file must have the rank in its name, and the run and world size of the other files. */
static bool belongs(struct merge *m, const struct identity *id, int32_t rank, struct outcome *o)
{
	if (!id->has_run_id) {
		/* if the file is damaged, the message of opening it is the better reason */
		if (!*id->damage || !*o->reason)
			snprintf(o->reason, sizeof o->reason,
				*id->damage ? "its table run cannot be read: %s" :
					      "its table run has no run id%s",
				id->damage);
		return false;
	}
	/* 0: the rank had not written it yet when it ended */
	if (!m->has_run_id && id->run_id) {
		m->run_id = id->run_id;
		m->has_run_id = true;
	}
	if (id->run_id && id->run_id != m->run_id) {
		snprintf(o->reason, sizeof o->reason, "it belongs to another run");
		return false;
	}
	if (id->rank != rank) {
		snprintf(o->reason, sizeof o->reason, "it holds rank %lld", (long long)id->rank);
		return false;
	}
	if (id->world_size && m->world_size && id->world_size != m->world_size) {
		snprintf(o->reason, sizeof o->reason, "its world_size is %lld, that of others %lld",
			(long long)id->world_size, (long long)m->world_size);
		return false;
	}
	return true;
}

/* What db_open() says of a file is kept as the reason why it is left out. */
static void keep_reason(void *context, const char *text)
{
	struct outcome *o = context;

	snprintf(o->reason, sizeof o->reason, "%s", text);
}

static const char *const state_names[] = { "whole", "unfinished", "partial", "left_out" };

/*
 * A rank with a value that cannot be is left out: a query would refuse all ranks for it. As
 * note_input().
 */
static int doubt_values(struct merge *m, int32_t rank, struct outcome *o)
{
	int rc = o->state == RANK_LEFT_OUT ?
		0 :
		db_ranges_check(&m->ranges, rank, o->reason, sizeof o->reason);

	if (rc != -EINVAL)
		return rc;
	o->state = RANK_LEFT_OUT;
	o->ops_left_out = 0;
	return copy_undo(&m->copy, rank, 0) == 0 ? 0 : -ENOMEM;
}

/*
 * Adds a row to `input`, in the transaction with the rank's rows. Returns 0 or a negative errno.
 */
static int note_input(struct merge *m, int32_t rank, const char *path, struct outcome *o)
{
	sqlite3 *db = m->copy.db;
	struct stat st = { 0 };
	sqlite3_stmt *s;
	int rc = doubt_values(m, rank, o);

	if (rc)
		return rc;
	o->noted = true;
	(void)stat(path, &st);
	rc = db_prepare_insert(db, DB_INSERT_OR_REPLACE, "input", &s);
	if (rc)
		return rc;
	sqlite3_bind_int(s, 1, rank);
	sqlite3_bind_text(s, 2, path, -1, SQLITE_STATIC);
	if (!o->refused) {
		sqlite3_bind_int64(s, 3, st.st_size);
		sqlite3_bind_int64(s, 4, mtime_ns(&st));
	}
	sqlite3_bind_text(s, 5, state_names[o->state], -1, SQLITE_STATIC);
	sqlite3_bind_text(s, 6, *o->reason ? o->reason : NULL, -1, SQLITE_STATIC);
	db_step(s);
	rc = db_finalize(s);
	if (rc == 0 && o->ops_left_out)
		rc = db_run_set(db, rank, "ops_left_out", (int64_t)o->ops_left_out);
	if (rc == 0 && !sqlite3_get_autocommit(db))
		rc = db_exec(db, "COMMIT", "write", NULL);
	return rc;
}

/* Copies a small file that is whole and of this layout, the quickest way. As take_whole(). */
static bool take_small(
	struct merge *m, const struct db_rank *r, const char *path, struct outcome *o, int *rc)
{
	struct identity id = { .rank = -1 };
	char text[32] = "";
	int32_t rank = -1;
	bool taken = false;

	if (!m->small || !small_open(m->small, path))
		return false;
	if (small_run_value(m->small, "unfinished", &rank, text, sizeof text))
		id.unfinished = strcmp(text, "1") == 0;
	id.has_run_id = small_run_value(m->small, "run_id", &rank, text, sizeof text) &&
		sscanf(text, "%16" SCNx64, &id.run_id) == 1;
	if (small_run_value(m->small, "world_size", &rank, text, sizeof text))
		id.world_size = strtoll(text, NULL, 10);
	id.rank = rank;
	if (id.has_run_id && belongs(m, &id, r->rank, o)) {
		taken = small_copy(m->small, r->rank, &o->ops_left_out) == 0;
		if (taken) {
			o->state = id.unfinished ? RANK_UNFINISHED : RANK_WHOLE;
			*rc = note_input(m, r->rank, path, o);
		} else {
			copy_undo(&m->copy, r->rank, 0);
		}
	} else {
		taken = id.has_run_id;
	}
	small_close(m->small);
	return taken;
}

/*
 * The quick way, for a long file that is whole and of this layout. False: it needs another one.
 * *rc: 0, or a negative errno of writing.
 */
static bool take_whole(struct merge *m, const struct db_rank *r, const char *path, uint64_t bytes,
	struct outcome *o, int *rc)
{
	struct copy *c = &m->copy;
	struct db_steps steps;
	struct identity id;
	bool taken = false;

	if (copy_attach(c, path) != 0)
		return false;
	db_limit_steps(c->db, &steps, bytes);
	if (db_check_inside(c->db, "src") == 0) {
		identify(c->db, "src", &id);
		taken = !belongs(m, &id, r->rank, o) ||
			copy_has_foreign(c, c->db, "src", r->rank, o->reason, sizeof o->reason);
		if (!taken && copy_whole(c, r->rank, path, &o->ops_left_out) == 0) {
			o->state = id.unfinished ? RANK_UNFINISHED : RANK_WHOLE;
			*rc = note_input(m, r->rank, path, o);
			taken = true;
		}
	}
	db_end_limit(c->db);
	copy_detach(c);
	return taken;
}

/*
 * Copies an open file row by row. rescued: the file is damaged. Then only tables with the right
 * definition are copied, and only the rank's own rows, since damaged rows can have any id. Returns
 * 0 or a negative errno of writing.
 */
static int take_rows(
	struct merge *m, sqlite3 *src, const struct db_rank *r, bool rescued, struct outcome *o)
{
	char damage[sizeof o->reason];
	struct identity id = { .rank = -1 };
	int rc;

	if (!rescued || db_layout_has_table(src, &db_layout, "run"))
		identify(src, "main", &id);
	else
		snprintf(id.damage, sizeof id.damage, "it is missing or differs");
	if (!belongs(m, &id, r->rank, o) ||
		(!rescued &&
			copy_has_foreign(
				&m->copy, src, "main", r->rank, o->reason, sizeof o->reason)))
		return 0;
	o->state = id.unfinished ? RANK_UNFINISHED : RANK_WHOLE;
	rc = copy_rows(&m->copy, src, r->rank, rescued, &o->ops_left_out, damage, sizeof damage);
	if (rc)
		return rc;
	if (rescued && !*damage &&
		db_layout_check(src, "main", &db_layout, damage, sizeof damage) != -EINVAL)
		snprintf(damage, sizeof damage, "its end is missing");
	if (*damage) {
		o->state = RANK_PARTIAL;
		snprintf(o->reason, sizeof o->reason, "%s", damage);
	}
	return 0;
}

static int take_rank(struct merge *m, const struct db_rank *r, const char *path, struct outcome *o)
{
	const struct say keep = { .line = keep_reason, .context = o };
	struct db_steps steps;
	struct stat st;
	sqlite3 *src;
	bool rescued;
	int rc = 0;

	o->state = RANK_LEFT_OUT;
	if (!r->has_rows) {
		snprintf(o->reason, sizeof o->reason, "its rows could not be made");
		return 0;
	}
	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
		st.st_size = 0;
	if (st.st_size > 0 && take_small(m, r, path, o, &rc))
		return rc;
	/*
	 * a small file that take_small() refused may be damaged; copying whole cells would copy the
	 * damage
	 */
	if (st.st_size > SMALL_BYTES && take_whole(m, r, path, (uint64_t)st.st_size, o, &rc))
		return rc;
	rc = db_open(path, DB_READ, &src, &keep);
	rescued = rc == -EINVAL && db_open(path, DB_RESCUE, &src, NULL) == 0;
	o->refused = rc && rc != -EINVAL && rc != -EPROTO && rc != -ELOOP;
	if (rc && !rescued)
		return 0;
	db_limit_steps(src, &steps, (uint64_t)st.st_size);
	rc = take_rows(m, src, r, rescued, o);
	sqlite3_close(src);
	return rc;
}

/* Reads what an interrupted merge noted of this rank. False: it had not reached the rank. */
static bool merged_before(struct merge *m, int32_t rank, struct outcome *o)
{
	sqlite3_stmt *s;
	bool found = false;

	if (db_prepare(m->copy.db, sql_merge_noted, &s) != 0)
		return false;
	sqlite3_bind_int(s, 1, rank);
	if (db_step(s) > 0) {
		const char *state = (const char *)sqlite3_column_text(s, 0);
		const char *reason = (const char *)sqlite3_column_text(s, 1);

		for (int i = RANK_WHOLE; state && i <= RANK_LEFT_OUT; i++)
			if (strcmp(state, state_names[i]) == 0) {
				o->state = (enum rank_state)i;
				found = true;
			}
		snprintf(o->reason, sizeof o->reason, "%s", reason ? reason : "");
		o->ops_left_out = (uint64_t)sqlite3_column_int64(s, 2);
	}
	sqlite3_finalize(s);
	return found;
}

static int merge_rank(struct merge *m, const struct db_rank *r, struct merge_result *result)
{
	struct outcome o = { 0 };
	char path[PATH_MAX];
	int rc = run_rank_path(r->dir, r->rank, "db", path, sizeof path);

	if (rc == 0 && !(m->resumed && merged_before(m, r->rank, &o))) {
		rc = take_rank(m, r, path, &o);
		if (rc == 0 && !o.noted)
			rc = note_input(m, r->rank, path, &o);
	}
	if (rc) {
		say_line(m->say, "cannot merge rank %d into '%s': %s", (int)r->rank,
			sqlite3_db_filename(m->copy.db, "main"), db_reason(m->copy.db, rc));
		return rc;
	}
	result->ranks += o.state != RANK_LEFT_OUT;
	result->left_out += o.state == RANK_LEFT_OUT;
	result->partial += o.state == RANK_PARTIAL;
	result->ops_left_out += o.ops_left_out;
	return 0;
}

/* Have all readable files together more than `most` op rows? */
static bool has_more_ops(const struct db_ranks *list, uint64_t most)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < list->nranks && all <= most; i++) {
		const struct db_rank *r = &list->rank[i];
		struct pages_file file;
		char path[PATH_MAX];

		progress("looking at rank", i + 1, list->nranks);
		if (!r->has_rows || run_rank_path(r->dir, r->rank, "db", path, sizeof path) != 0 ||
			pages_open(path, &file) != 0)
			continue;
		all += pages_count(&file, pages_root(&file, "op_row"), most - all);
		pages_close(&file);
	}
	return all > most;
}

/* A value of table merge_info; -1: there is none. */
static int64_t info(sqlite3 *db, const char *key)
{
	sqlite3_stmt *s;
	int64_t value = -1;

	if (db_prepare(db, sql_merge_info, &s) == 0)
		sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
	if (s && db_step(s) > 0)
		value = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return value;
}

static int set_info(sqlite3 *db, const char *key, int64_t value, const struct say *say)
{
	sqlite3_stmt *s = NULL;
	int rc = db_prepare_insert(db, DB_INSERT_OR_REPLACE, "merge_info", &s);

	if (!rc) {
		sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 2, value);
		db_step(s);
		rc = db_finalize(s);
	}
	return rc ? db_say(db, rc, "write", say) : 0;
}

/* Makes one time for all ranks, from the hosts' measurements and from the messages. Only once. */
static int settle_clocks(sqlite3 *db, const struct say *say)
{
	struct clocks clocks;
	int rc;

	if (info(db, "clocks") == 1)
		return 0;
	rc = clocks_read(db, &clocks, say);
	if (rc)
		return rc;
	rc = bounds_apply(db, &clocks, say);
	if (rc == 0)
		rc = db_exec(db, "BEGIN", "write", say);
	if (rc == 0)
		rc = clocks_write(db, &clocks, say);
	if (rc == 0)
		rc = set_info(db, "clocks", 1, say);
	if (rc == 0)
		rc = db_exec(db, "COMMIT", "write", say);
	clocks_release(&clocks);
	return rc;
}

void merge_tell(sqlite3 *db, const struct say *say)
{
	sqlite3_stmt *s;

	if (db_prepare(db, sql_merge_damaged, &s) != 0)
		return;
	while (db_step(s) > 0)
		say_line(say, "rank %d is %s: %s", sqlite3_column_int(s, 0),
			sqlite3_column_int(s, 1) ? "damaged and used as far as it goes" :
						   "left out",
			(const char *)sqlite3_column_text(s, 2));
	sqlite3_finalize(s);
}

/* The layout of run.db as a number, since a developer may forget to raise the version. */
static int64_t layout_id(void)
{
	return (int64_t)fnv_text(FNV_START, db_schema);
}

static bool is_this_layout(sqlite3 *db)
{
	return info(db, "layout") == layout_id();
}

/* The world size in the rank's file; 0: it is unknown, or not above the rank. */
static int64_t ask_world_size(const struct db_rank *r)
{
	struct identity id = { .world_size = 0 };
	char path[PATH_MAX];
	sqlite3 *db;

	if (run_rank_path(r->dir, r->rank, "db", path, sizeof path) == 0 &&
		db_open(path, DB_READ, &db, NULL) == 0) {
		identify(db, "main", &id);
		sqlite3_close(db);
	}
	return id.world_size > r->rank ? id.world_size : 0;
}

/*
 * Files may disagree about the size of the world, and one wrong file must not exclude the others.
 * Three files are asked. Two that agree decide; otherwise the larger size of the first and the last
 * file counts.
 */
static int64_t find_world_size(const struct db_ranks *list)
{
	int64_t first, middle, last;

	if (list->nranks < 2)
		return 0;
	first = ask_world_size(&list->rank[0]);
	last = ask_world_size(&list->rank[list->nranks - 1]);
	if (first == last)
		return first;
	middle = list->nranks > 2 ? ask_world_size(&list->rank[list->nranks / 2]) : 0;
	if (middle && (middle == first || middle == last))
		return middle;
	return first > last ? first : last;
}

/* Writes the names into one rank's file, if the file is still as it was merged. */
static void fill_rank(
	sqlite3 *db, const struct db_rank *r, sqlite3_stmt *whole, sqlite3_stmt *filled)
{
	char path[PATH_MAX];
	struct stat st;
	bool same;

	if (run_rank_path(r->dir, r->rank, "db", path, sizeof path) != 0 || lstat(path, &st) != 0)
		return;
	sqlite3_bind_int(whole, 1, r->rank);
	same = db_step(whole) > 0 && has_size_and_time(whole, &st);
	sqlite3_reset(whole);
	if (!same || !fill_names(db, r->rank, path, &st))
		return;
	sqlite3_bind_int64(filled, 1, st.st_size);
	sqlite3_bind_int64(filled, 2, mtime_ns(&st));
	sqlite3_bind_int(filled, 3, r->rank);
	(void)db_execute(filled);
}

/*
 * Writes the names into the files that ranks wrote themselves. If it is interrupted after it
 * changed a file, but before it changed the file's row in table input, the next merge begins anew.
 */
static void fill_ranks(struct merge *m)
{
	sqlite3 *db = m->copy.db;
	sqlite3_stmt *whole = NULL, *filled = NULL;
	int rc = db_prepare(db, sql_merge_input_whole, &whole);

	if (rc == 0)
		rc = db_prepare(db, sql_merge_input_filled, &filled);
	for (uint32_t i = 0; rc == 0 && i < m->list->nranks; i++) {
		const struct db_rank *r = &m->list->rank[i];

		progress("naming callsites of rank", i + 1, m->list->nranks);
		if (!r->has_ring)
			fill_rank(db, r, whole, filled);
	}
	progress_end();
	sqlite3_finalize(whole);
	sqlite3_finalize(filled);
}

static int merge_all(struct merge *m, struct merge_result *result)
{
	const struct db_ranks *list = m->list;
	sqlite3 *db = m->copy.db;
	int rc = copy_init(&m->copy) == 0 ? 0 : -ENOMEM;

	if (rc == 0)
		rc = set_info(db, "max_ops", (int64_t)m->max_ops, m->say);
	if (rc == 0)
		rc = set_info(db, "layout", layout_id(), m->say);
	if (rc == 0)
		rc = db_ranges_prepare(db, db_ranges, true, &m->ranges);
	if (rc == 0)
		m->small = small_new(&m->copy);
	m->world_size = find_world_size(list);
	for (uint32_t i = 0; rc == 0 && i < list->nranks; i++) {
		progress("merging rank", i + 1, list->nranks);
		rc = merge_rank(m, &list->rank[i], result);
	}
	progress_end();
	small_free(m->small);
	m->small = NULL;
	db_ranges_release(&m->ranges);
	/* the index comes after the rows, since they are inserted faster without it */
	if (rc == 0)
		rc = db_exec(db, sql_db_merge_index, "write", m->say);
	if (rc == 0 && result->ranks == 0) {
		merge_tell(db, m->say);
		return -ENODATA;
	}
	if (rc == 0)
		rc = settle_clocks(db, m->say);
	if (rc == 0 && resolve_callsites(db, m->say) == 0 && list->nranks <= MERGE_FILL_RANKS)
		fill_ranks(m);
	return rc;
}

/* Can the file be opened, and its first page be read? */
static bool is_readable(const char *path)
{
	int fd = file_open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW, NULL);
	char page[4096];
	bool readable = fd >= 0 && file_read(fd, page, sizeof page, 0) >= 0;

	if (fd >= 0)
		close(fd);
	return readable;
}

/*
 * Is the file as this row of table input has it? If the file could not be opened or read then, it
 * must still be so, since a repair may leave its size and time unchanged.
 */
static bool is_same(sqlite3_stmt *s, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	if (sqlite3_column_type(s, 1) == SQLITE_NULL)
		return !is_readable(path);
	return has_size_and_time(s, &st);
}

/* How many files of `list` are as table input has them. */
static uint32_t count_same(sqlite3 *db, const struct db_ranks *list)
{
	sqlite3_stmt *s;
	uint32_t same = 0;

	if (db_prepare(db, sql_merge_input_file, &s) != 0)
		return UINT32_MAX;
	for (uint32_t i = 0; i < list->nranks; i++) {
		const struct db_rank *r = &list->rank[i];
		char path[PATH_MAX];

		sqlite3_bind_int(s, 1, r->rank);
		same += run_rank_path(r->dir, r->rank, "db", path, sizeof path) == 0 &&
			db_step(s) > 0 && is_same(s, path);
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	return same;
}

/* True if an interrupted merge can continue: all its inputs are still the same. */
static bool is_part_of_it(sqlite3 *db, void *context)
{
	const struct merge *m = context;
	struct identity id;
	uint64_t wanted;

	if (db_check_inside(db, "main") != 0 || !is_this_layout(db) ||
		info(db, "max_ops") != (int64_t)m->max_ops ||
		db_int(db, sql_merge_inputs, -1) != count_same(db, m->list))
		return false;
	identify(db, "main", &id);
	return id.has_run_id && (run_dir_id(m->list->dirs[0], &wanted) != 0 || wanted == id.run_id);
}

int merge_ranks(const struct db_ranks *list, const char *path, uint64_t max_ops,
	const struct say *say, struct merge_result *result)
{
	struct merge m = { .say = say, .list = list, .max_ops = max_ops };
	struct merge_part part;
	int rc;

	memset(result, 0, sizeof *result);
	m.has_run_id = list->ndirs && run_dir_id(list->dirs[0], &m.run_id) == 0;
	m.copy.waits_only = has_more_ops(list, max_ops);
	rc = merge_part_open(&part, path, is_part_of_it, &m, say);
	if (rc)
		return rc;
	m.copy.db = part.db;
	m.resumed = part.resumed;
	rc = merge_all(&m, result);
	copy_release(&m.copy);
	if (rc)
		merge_part_drop(&part);
	else
		rc = merge_part_finish(&part, path, say);
	return rc;
}

bool merge_is_current(sqlite3 *db, const struct db_ranks *list, uint64_t max_ops)
{
	return is_this_layout(db) && db_int(db, sql_merge_inputs, -1) == list->nranks &&
		count_same(db, list) == list->nranks &&
		(max_ops == 0 || info(db, "max_ops") == (int64_t)max_ops);
}
