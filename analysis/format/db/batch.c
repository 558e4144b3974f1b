/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.c: the virtual table that reads rows from memory (batch.h). */
#include "analysis/format/db/batch.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/format/db/codes.h"
#include "analysis/format/db/db.h"

struct table {
	sqlite3_vtab base;
	struct rows_batch *batch;
};

struct cursor {
	sqlite3_vtab_cursor base;
	const struct row *row;
	const struct row *end;
};

static int batch_connect(sqlite3 *db, void *context, int argc, const char *const *argv,
	sqlite3_vtab **out, char **message)
{
	struct table *t = calloc(1, sizeof(*t));

	(void)argc, (void)argv, (void)message;
	if (!t)
		return SQLITE_NOMEM;
	t->batch = context;
	*out = &t->base;
	return sqlite3_declare_vtab(db,
		"CREATE TABLE x"
		"(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14)");
}

static int batch_disconnect(sqlite3_vtab *t)
{
	free(t);
	return SQLITE_OK;
}

static int batch_best_index(sqlite3_vtab *t, sqlite3_index_info *info)
{
	(void)t;
	info->estimatedCost = 1000;
	return SQLITE_OK;
}

static int batch_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct cursor *c = calloc(1, sizeof(*c));

	(void)t;
	if (!c)
		return SQLITE_NOMEM;
	*out = &c->base;
	return SQLITE_OK;
}

static int batch_close(sqlite3_vtab_cursor *c)
{
	free(c);
	return SQLITE_OK;
}

static void skip_empty(struct cursor *c)
{
	while (c->row < c->end && c->row->value[0] == 0)
		c->row++;
}

static int batch_filter(
	sqlite3_vtab_cursor *base, int plan, const char *text, int argc, sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)base;
	const struct rows_batch *batch = ((struct table *)base->pVtab)->batch;

	(void)plan, (void)text, (void)argc, (void)argv;
	c->row = batch->row;
	c->end = batch->row + batch->nrows;
	skip_empty(c);
	return SQLITE_OK;
}

static int batch_next(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	c->row++;
	skip_empty(c);
	return SQLITE_OK;
}

static int batch_eof(sqlite3_vtab_cursor *base)
{
	const struct cursor *c = (const struct cursor *)base;

	return c->row == c->end;
}

static int batch_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	int64_t value = ((const struct cursor *)base)->row->value[column];

	if (value != ROW_NULL)
		sqlite3_result_int64(context, value);
	return SQLITE_OK;
}

static int batch_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = ((const struct cursor *)base)->row->value[0];
	return SQLITE_OK;
}

/* No xCreate: the table exists without CREATE VIRTUAL TABLE, under the module's name. */
static const sqlite3_module batch_module = {
	.xConnect = batch_connect,
	.xBestIndex = batch_best_index,
	.xDisconnect = batch_disconnect,
	.xOpen = batch_open,
	.xClose = batch_close,
	.xFilter = batch_filter,
	.xNext = batch_next,
	.xEof = batch_eof,
	.xColumn = batch_column,
	.xRowid = batch_rowid,
};

int rows_batch_register(sqlite3 *db, struct rows_batch *batch)
{
	return db_errno(db, sqlite3_create_module(db, "rows_batch", &batch_module, batch));
}

static int prepare_insert(
	sqlite3 *db, const char *head, const char *table, int columns, sqlite3_stmt **out)
{
	char sql[256];
	int n = snprintf(sql, sizeof(sql), head, table);

	for (int i = 1; i < columns; i++)
		n += snprintf(sql + n, sizeof(sql) - (size_t)n, ", c%d", i);
	snprintf(sql + n, sizeof(sql) - (size_t)n, " FROM rows_batch");
	return db_prepare(db, sql, out);
}

int rows_batch_prepare(sqlite3 *db, const char *table, int columns, sqlite3_stmt **out)
{
	return prepare_insert(db, "INSERT OR IGNORE INTO %s SELECT c0", table, columns, out);
}

int rows_batch_append(sqlite3 *db, const char *table, int columns, sqlite3_stmt **out)
{
	return prepare_insert(db, "INSERT INTO %s SELECT NULL", table, columns, out);
}
