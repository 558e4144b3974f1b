/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copy.c: two ways from a rank's file into run.db.
 *
 * Ids begin with the rank (schema.sql), so rows of different ranks never meet and, taken rank by
 * rank, arrive in ascending order. INSERT ... SELECT * between tables of one layout moves whole
 * cells without decoding them. A statement that meets damage leaves the transaction unusable, so
 * damaged files are read again from the start, through a connection of their own.
 */
#include <config.h>

#include "analysis/merge/copy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/db/pages.h"
#include "analysis/merge/queries.h"

enum { COLUMNS_MAX = 64, CHUNK = 8192 };

/* Op rows that waited or are pending. The views of a file that is rescued are not used. */
#define IS_WAIT "(" SQL_OP_CODE_WAITED("code") " OR done IS 0)"

static int learn_stack(void *context, int32_t rank, int64_t callsite, const struct stack_key *k)
{
	struct copy *c = context;

	return k->unknown || stacks_at(&c->stacks, k, rank, callsite) ? 0 : -ENOMEM;
}

int copy_init(struct copy *c)
{
	sqlite3_stmt *s;
	int rc = rows_batch_register(c->db, &c->batch);

	worker_start(&c->worker, NULL);
	if (!rc)
		rc = db_prepare(c->db, sql_merge_rank_tables, &s);

	if (rc)
		return rc;
	while ((rc = db_step(s)) > 0) {
		void *more = realloc(c->tables, (size_t)(c->ntables + 1) * sizeof *c->tables);

		if (!more) {
			rc = -ENOMEM;
			break;
		}
		c->tables = more;
		snprintf(c->tables[c->ntables++], COPY_NAME_MAX, "%s", sqlite3_column_text(s, 0));
	}
	sqlite3_finalize(s);
	if (!rc) /* what an interrupted merge left */
		rc = stacks_each(c->db, "main", learn_stack, c);
	if (!rc)
		rc = db_prepare_insert(c->db, DB_INSERT, "main.site_row", &c->put_site);
	return rc;
}

void copy_release(struct copy *c)
{
	worker_stop(&c->worker);
	sqlite3_finalize(c->put_site);
	c->put_site = NULL;
	stacks_release(&c->stacks);
	free(c->tables);
	c->tables = NULL;
	c->ntables = 0;
}

/* The condition of the op rows to copy if there are too many: they waited, or are pending. */
static const char *filter_of(const struct copy *c, const char *table)
{
	if (c->waits_only && strcmp(table, "op_row") == 0)
		return " WHERE " IS_WAIT;
	return "";
}

/* Names behind codes are the same in all files, and of no rank. */
static bool has_names(const char *table)
{
	return strstr(table, "_name") != NULL;
}

static int copy_table(struct copy *c, const char *table)
{
	char *sql = sqlite3_mprintf("INSERT%s INTO main.\"%w\" SELECT * FROM src.\"%w\"",
		has_names(table) ? " OR IGNORE" : "", table, table);
	int rc = sql ? db_exec_quiet(c->db, sql) : -ENOMEM;

	sqlite3_free(sql);
	return rc;
}

int copy_attach(struct copy *c, const char *path)
{
	return db_attach(c->db, path, "src");
}

/* A job that reads a file's rows, and keeps those that are copied. */
struct waits {
	struct job job;
	struct pages_file *file;
	struct pages_cursor *cursor;
	struct row row[CHUNK];
	uint32_t got, kept;
	int rc;
};

static void read_waits(void *context)
{
	struct waits *w = context;

	w->kept = 0;
	w->rc = pages_read(w->file, w->cursor, ROW_COLUMNS, w->row, CHUNK, &w->got);
	for (uint32_t i = 0; i < w->got; i++)
		if (op_code_waited(w->row[i].value[OP_ROW_CODE]) ||
			w->row[i].value[OP_ROW_DONE] == 0)
			w->row[w->kept++] = w->row[i];
}

static void ask_for_waits(
	struct copy *c, struct waits *w, struct pages_file *file, struct pages_cursor *cursor)
{
	w->job = (struct job){ .run = read_waits, .context = w };
	w->file = file;
	w->cursor = cursor;
	worker_give(&c->worker, &w->job);
}

/*
 * Copies ops that waited or are pending. A job reads them from the file's pages, since many other
 * ops lie between them. While some are written, the next ones are read.
 */
static int copy_waits(struct copy *c, const char *path, uint64_t *left_out)
{
	struct waits *two = calloc(2, sizeof(*two));
	sqlite3_stmt *insert = NULL;
	struct pages_cursor cursor;
	struct pages_file file = { 0 };
	int rc = two && pages_open(path, &file) == 0 ? 0 : -EIO;
	bool more = true;

	if (!rc)
		rc = rows_batch_prepare(c->db, "main.op_row", ROW_COLUMNS, &insert);
	pages_seek(&cursor, !rc ? pages_root(&file, "op_row") : 0, INT64_MIN);
	if (!rc)
		ask_for_waits(c, &two[0], &file, &cursor);
	for (int i = 0; !rc && more; i = !i) {
		struct waits *w = &two[i];

		worker_wait(&c->worker, &w->job);
		more = w->got == CHUNK && w->rc == 0;
		if (more)
			ask_for_waits(c, &two[!i], &file, &cursor);
		*left_out += w->got - w->kept;
		c->batch = (struct rows_batch){ w->row, w->kept };
		rc = db_execute(insert);
		if (w->rc != 0)
			rc = -EINVAL;
	}
	for (int i = 0; two && i < 2; i++)
		worker_wait(&c->worker, &two[i].job);
	sqlite3_finalize(insert);
	pages_close(&file);
	free(two);
	return rc;
}

void copy_detach(struct copy *c)
{
	db_exec_quiet(c->db, "DETACH src");
}

int copy_site(
	struct copy *c, int32_t rank, int64_t callsite, const struct stack_key *key, bool *is_new)
{
	const struct stack *first;

	*is_new = true;
	if (key->unknown)
		return 0;
	first = stacks_at(&c->stacks, key, rank, callsite);
	if (!first)
		return -ENOMEM;
	*is_new = first->rank == rank && first->callsite == callsite;
	if (*is_new)
		return 0;
	sqlite3_bind_int(c->put_site, 1, rank);
	sqlite3_bind_int64(c->put_site, 2, callsite);
	sqlite3_bind_int(c->put_site, 3, first->rank);
	sqlite3_bind_int64(c->put_site, 4, first->callsite);
	return db_execute(c->put_site);
}

struct site_copy {
	struct copy *copy;
	sqlite3_stmt *frames;
};

static int copy_stack(void *context, int32_t rank, int64_t callsite, const struct stack_key *key)
{
	struct site_copy *s = context;
	bool is_new;
	int rc = copy_site(s->copy, rank, callsite, key, &is_new);

	if (rc || !is_new)
		return rc;
	sqlite3_bind_int(s->frames, 1, rank);
	sqlite3_bind_int64(s->frames, 2, callsite);
	return db_execute(s->frames);
}

static int copy_stacks(struct copy *c)
{
	struct site_copy s = { .copy = c };
	int rc = db_prepare(c->db, sql_merge_copy_frames, &s.frames);

	if (!rc)
		rc = stacks_each(c->db, "src", copy_stack, &s);
	sqlite3_finalize(s.frames);
	return rc;
}

int copy_undo(struct copy *c, int32_t rank, int rc)
{
	/* if the disk is full, SQLite has rolled back by itself */
	if (!sqlite3_get_autocommit(c->db))
		db_exec_quiet(c->db, "ROLLBACK");
	return stacks_forget(&c->stacks, rank) ? rc : -ENOMEM;
}

int copy_whole(struct copy *c, int32_t rank, const char *path, uint64_t *left_out)
{
	int rc;

	*left_out = 0;
	rc = db_exec_quiet(c->db, "BEGIN");
	for (int i = 0; !rc && i < c->ntables; i++)
		if (strcmp(c->tables[i], "frame_row") == 0)
			rc = copy_stacks(c);
		else if (c->waits_only && strcmp(c->tables[i], "op_row") == 0)
			rc = copy_waits(c, path, left_out);
		else
			rc = copy_table(c, c->tables[i]);
	return rc ? copy_undo(c, rank, rc) : 0;
}

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
	return sqlite3_table_column_metadata(
		       db, NULL, table, column, NULL, NULL, NULL, NULL, NULL) == 0;
}

/* "a", "b", "c": columns of `table` that both sides have. Returns their number. */
static int common_columns(struct copy *c, sqlite3 *src, const char *table, char *names, size_t size)
{
	sqlite3_stmt *s;
	size_t at = 0;
	int n = 0;

	if (db_prepare(c->db, "SELECT name FROM pragma_table_info(?)", &s) != 0)
		return 0;
	sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
	while (db_step(s) > 0 && n < COLUMNS_MAX && at < size) {
		const char *column = (const char *)sqlite3_column_text(s, 0);

		if (has_column(src, table, column))
			at += (size_t)snprintf(
				names + at, size - at, "%s\"%s\"", n++ ? ", " : "", column);
	}
	sqlite3_finalize(s);
	return at < size ? n : 0;
}

/*
 * Copies the rows of `from` until it ends or fails; its state says which. 0, or an error of `to`.
 */
static int copy_stepwise(sqlite3_stmt *from, sqlite3_stmt *to, int ncolumns)
{
	int rc = 0;

	while (!rc && db_step(from) > 0) {
		for (int i = 0; i < ncolumns; i++)
			sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
		rc = db_execute(to);
	}
	return rc;
}

/* Limits the query to rows with this rank's ids, since damaged rows can have any id. */
static void own_rows(
	sqlite3 *src, const char *table, int32_t rank, const char *filter, char *where, size_t size)
{
	const char *and = *filter ? " AND " : " WHERE ";

	if (has_names(table))
		snprintf(where, size, "%s", filter);
	else if (has_column(src, table, "rank"))
		snprintf(where, size, "%s%srank = %d", filter, and, (int)rank);
	else
		snprintf(where, size, "%s%s" SQL_OP_KEY_RANK("id") " = %d", filter, and, (int)rank);
}

/* Appends the search for rows of `table` that are not the rank's. Two terms, so that keys serve. */
static void add_foreign(
	sqlite3_str *sql, const char *schema, const char *table, bool by_rank, int32_t rank)
{
	const int64_t ids = by_rank ? 1 : IDS_OF_RANK, first = rank * ids;
	const char *key = by_rank ? "rank" : "id";

	sqlite3_str_appendf(sql,
		"%s SELECT '%q' FROM \"%w\".\"%w\" WHERE %s < %lld"
		" UNION ALL SELECT '%q' FROM \"%w\".\"%w\" WHERE %s > %lld",
		sqlite3_str_length(sql) ? " UNION ALL" : "", table, schema, table, key,
		(long long)first, table, schema, table, key, (long long)(first + ids - 1));
}

bool copy_has_foreign(
	struct copy *c, sqlite3 *src, const char *schema, int32_t rank, char *reason, size_t size)
{
	sqlite3_str *str = sqlite3_str_new(src);
	sqlite3_stmt *s = NULL;
	bool found;
	char *sql;

	for (int i = 0; i < c->ntables; i++)
		if (!has_names(c->tables[i]))
			add_foreign(str, schema, c->tables[i],
				has_column(c->db, c->tables[i], "rank"), rank);
	sql = sqlite3_str_finish(str);
	found = sql && db_prepare(src, sql, &s) == 0 && db_step(s) > 0;
	if (found)
		snprintf(reason, size, "its table %s has rows of another rank",
			(const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	sqlite3_free(sql);
	return found;
}

/* Copies rows of a table. Impossible rows (a key twice, a forbidden NULL) are left out. */
static int copy_table_rows(
	struct copy *c, sqlite3 *src, const char *table, int32_t rank, char *damage, size_t size)
{
	char columns[COLUMNS_MAX * (COPY_NAME_MAX + 4)] = "", marks[2 * COLUMNS_MAX + 2] = "?";
	int n = common_columns(c, src, table, columns, sizeof columns), rc = -ENOMEM;
	sqlite3_stmt *from = NULL, *to = NULL;
	char *select, *insert, where[160];
	int read = 0;

	own_rows(src, table, rank, filter_of(c, table), where, sizeof where);
	for (int i = 1; i < n; i++)
		strcat(marks, ",?");
	select = sqlite3_mprintf("SELECT %s FROM \"%w\"%s", n ? columns : "1", table, where);
	insert = sqlite3_mprintf(
		"INSERT OR IGNORE INTO \"%w\" (%s) VALUES (%s)", table, columns, marks);
	if (select && insert) {
		read = db_prepare(src, select, &from);
		rc = !read && n ? db_prepare(c->db, insert, &to) : 0;
		if (!rc && !read && n)
			rc = copy_stepwise(from, to, n);
	}
	if ((db_finalize(from) != 0 || read == -EINVAL) && !*damage)
		snprintf(damage, size, "%s: %s", table,
			db_reached_limit(src) ? "it does not end" : sqlite3_errmsg(src));
	sqlite3_finalize(to);
	sqlite3_free(select);
	sqlite3_free(insert);
	return rc;
}

int copy_rows(struct copy *c, sqlite3 *src, int32_t rank, bool rescued, uint64_t *left_out,
	char *damage, size_t size)
{
	int rc = db_exec_quiet(c->db, "BEGIN");
	int64_t n = 0;

	*left_out = 0;
	*damage = '\0';
	for (int i = 0; !rc && i < c->ntables; i++)
		if (!rescued || db_layout_has_table(src, &db_layout, c->tables[i]))
			rc = copy_table_rows(c, src, c->tables[i], rank, damage, size);
		else if (!*damage)
			snprintf(damage, size, "table '%s' is missing or differs", c->tables[i]);
	if (!rc && c->waits_only)
		n = db_int(src, "SELECT count(*) FROM op_row WHERE NOT " IS_WAIT, -1);
	if (n > 0)
		*left_out = (uint64_t)n;
	return rc ? copy_undo(c, rank, rc) : 0;
}
