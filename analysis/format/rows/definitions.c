/* SPDX-License-Identifier: BSD-3-Clause */
/* definitions.c: definitions, before any row that refers to them. */
#include "analysis/format/rows/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/array.h"
#include "analysis/format/db/db.h"
#include "analysis/format/links/row.h"
#include "analysis/format/rows/queries.h"
#include "functions.h"

enum { KEY, MODULE, FRAME, COMM, COMM_NAME, WINDOW, FILE_, WINDOW_NAME, LINK, STATEMENTS };

/* A table whose rows are replaced, or a statement. Parameter 1 is the rank. */
static const struct {
	const char *table, *sql;
} statements[STATEMENTS] = {
	[KEY] = { .table = "run" },
	[MODULE] = { .table = "module_row" },
	[FRAME] = { .table = "frame_row" },
	[COMM] = { .sql = sql_rows_comm },
	[COMM_NAME] = { .sql = sql_rows_comm_name },
	[WINDOW] = { .sql = sql_rows_window },
	[FILE_] = { .table = "io_file" },
	[WINDOW_NAME] = { .sql = sql_rows_window_name },
	[LINK] = { .table = "link_param" },
};

struct definitions {
	struct rows *r;
	sqlite3_stmt *stmt[STATEMENTS];
};

static void bind_int_or_null(sqlite3_stmt *stmt, int at, int64_t value, int64_t null)
{
	if (value == null)
		sqlite3_bind_null(stmt, at);
	else
		sqlite3_bind_int64(stmt, at, value);
}

/* A decimal integer that reads back as it was written is stored as a number. */
static bool is_integer(const char *text, int64_t *value)
{
	const char *digits = text + (*text == '-');
	char *end;

	if (*digits < '0' || *digits > '9' || (*digits == '0' && text[1]))
		return false;
	errno = 0;
	*value = strtoll(text, &end, 10);
	return !errno && !*end;
}

static int define_key(struct definitions *d, const struct rec_text *record)
{
	sqlite3_stmt *stmt = d->stmt[KEY];
	const char *value = record->text + strlen(record->text) + 1;
	int64_t number;

	sqlite3_bind_text(stmt, 2, record->text, -1, SQLITE_STATIC);
	if (is_integer(value, &number))
		sqlite3_bind_int64(stmt, 3, number);
	else
		sqlite3_bind_text(stmt, 3, value, -1, SQLITE_STATIC);
	return db_execute(stmt);
}

static int define_module(struct definitions *d, const struct rec_module *record)
{
	sqlite3_stmt *stmt = d->stmt[MODULE];
	char text[2 * sizeof(record->build_id) + 1];
	static const char digits[] = "0123456789abcdef";
	int n = 0;

	for (int i = 0; i < record->build_id_bytes; i++) {
		text[n++] = digits[record->build_id[i] >> 4];
		text[n++] = digits[record->build_id[i] & 15];
	}
	sqlite3_bind_int64(stmt, 2, record->head.id);
	if (n)
		sqlite3_bind_text(stmt, 3, text, n, SQLITE_STATIC);
	else
		sqlite3_bind_null(stmt, 3);
	sqlite3_bind_text(stmt, 4, record->path, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 5, (int64_t)record->base);
	return db_execute(stmt);
}

static int define_callsite(struct definitions *d, const struct rec_callsite *record)
{
	sqlite3_stmt *stmt = d->stmt[FRAME];
	int rc = 0;

	/* call 0: the callsite is a place where samples were taken */
	if (record->call > 0 && record->call < ROWS_CALLS)
		d->r->call_used[record->call] = true;
	for (uint32_t i = 0; i < record->nframes && !rc; i++) {
		sqlite3_bind_int64(stmt, 2, record->head.id);
		sqlite3_bind_int64(stmt, 3, i);
		bind_int_or_null(stmt, 4, record->frames[i].module, 0);
		sqlite3_bind_int64(stmt, 5, (int64_t)record->frames[i].offset);
		rc = db_execute(stmt);
	}
	return rc;
}

static int define_comm(struct definitions *d, const struct rec_comm *record)
{
	sqlite3_stmt *stmt = d->stmt[COMM];

	if (record->maker < ROWS_CALLS)
		d->r->call_used[record->maker] = true;
	sqlite3_bind_int64(stmt, 2, record->head.id);
	sqlite3_bind_int64(stmt, 3, (int64_t)record->uid);
	bind_int_or_null(stmt, 4, record->parent, 0);
	sqlite3_bind_int64(stmt, 5, record->maker);
	sqlite3_bind_int64(stmt, 6, record->size);
	bind_int_or_null(stmt, 7, record->my_rank, -1);
	bind_int_or_null(stmt, 8, record->remote_size, 0);
	if (record->peer_world == PEER_WORLD_UNKNOWN)
		sqlite3_bind_int(stmt, 9, -1);
	else
		bind_int_or_null(stmt, 9, record->peer_world, PEER_WORLD_OWN);
	return db_execute(stmt);
}

/* The name of a communicator or window. */
static int define_name(sqlite3_stmt *stmt, const struct rec_text *record)
{
	sqlite3_bind_int64(stmt, 2, record->head.id);
	sqlite3_bind_text(stmt, 3, record->text, -1, SQLITE_STATIC);
	return db_execute(stmt);
}

static void bind_object(sqlite3_stmt *stmt, const struct rec_object *record)
{
	sqlite3_bind_int64(stmt, 2, record->head.id);
	bind_int_or_null(stmt, 3, (int64_t)record->uid, 0);
	bind_int_or_null(stmt, 4, record->comm, 0);
}

static int define_window(struct definitions *d, const struct rec_object *record)
{
	sqlite3_stmt *stmt = d->stmt[WINDOW];

	bind_object(stmt, record);
	if (record->maker < FN_COUNT)
		sqlite3_bind_text(stmt, 5, function_name(record->maker), -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(stmt, 5);
	sqlite3_bind_int64(stmt, 6, rows_int(record->bytes));
	sqlite3_bind_int64(stmt, 7, record->detail);
	return db_execute(stmt);
}

static int define_file(struct definitions *d, const struct rec_object *record)
{
	sqlite3_stmt *stmt = d->stmt[FILE_];

	bind_object(stmt, record);
	sqlite3_bind_int64(stmt, 5, record->detail);
	sqlite3_bind_text(stmt, 6, record->text, -1, SQLITE_STATIC);
	return db_execute(stmt);
}

static int define_link(struct definitions *d, const struct rec_link *record)
{
	if (record->head.id >= TIER_COUNT || !record->model[0] || !record->name[0]) {
		d->r->bad_records++;
		return 0;
	}
	link_row_bind(d->stmt[LINK], 2, record);
	return db_execute(d->stmt[LINK]);
}

static int keep_definition(void *context, uint32_t thread, const struct rec_head *record)
{
	struct definitions *d = context;

	(void)thread;
	switch (record->type) {
	case REC_KEY:
		return define_key(d, (const void *)record);
	case REC_MODULE:
		return define_module(d, (const void *)record);
	case REC_CALLSITE:
		return define_callsite(d, (const void *)record);
	case REC_COMM:
		return define_comm(d, (const void *)record);
	case REC_COMM_NAME:
		return define_name(d->stmt[COMM_NAME], (const void *)record);
	case REC_WINDOW:
		return define_window(d, (const void *)record);
	case REC_FILE:
		return define_file(d, (const void *)record);
	case REC_WINDOW_NAME:
		return define_name(d->stmt[WINDOW_NAME], (const void *)record);
	case REC_LINK:
		return define_link(d, (const void *)record);
	case REC_CLOCK:
		rows_time_reading(&d->r->time, (const void *)record);
		return 0;
	default:
		return 0;
	}
}

/*
 * Makes the link with this number from the rows of all links. Links beyond the tiers' own are
 * numbered in the order of their peers.
 */
static bool link_from_rows(
	const struct rec_link *row, size_t n, unsigned number, struct live_link *out)
{
	int peer = -1;

	for (unsigned beyond = TIER_COUNT; beyond <= number; beyond++) {
		int next = INT32_MAX;

		for (size_t i = 0; i < n; i++)
			if (row[i].head.id == TIER_NETWORK && row[i].peer > peer &&
				row[i].peer < next)
				next = row[i].peer;
		peer = next;
	}
	return live_link_to(row, n, (int)link_tier_of(number), peer, out) == 0;
}

/* Reads the shim's parameters, which give the noise. If a row comes twice, the last one counts. */
static int read_links(struct rows *r)
{
	struct rec_link *link = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t n = 0;
	uint32_t room = 0;
	int rc = db_prepare(r->db, sql_rows_links, &stmt);

	while (!rc && (rc = db_step(stmt)) > 0) {
		rc = 0;
		if (array_room(&link, sizeof(*link), &room, n))
			rc = -ENOMEM;
		else if (link_row_read(stmt, 1, &link[n]) == 0)
			n++;
	}
	for (unsigned i = 0; rc == 0 && i < LINK_COUNT; i++)
		r->have_link[i] = link_from_rows(link, n, i, &r->link[i]);
	sqlite3_finalize(stmt);
	free(link);
	return rc;
}

int rows_definitions(struct rows *r)
{
	struct definitions d = { .r = r };
	int rc = 0;

	for (int i = 0; i < STATEMENTS && !rc; i++) {
		rc = statements[i].table ? db_prepare_insert(r->db, DB_INSERT_OR_REPLACE,
						   statements[i].table, &d.stmt[i]) :
					   db_prepare(r->db, statements[i].sql, &d.stmt[i]);
		if (!rc)
			sqlite3_bind_int(d.stmt[i], 1, r->header->rank);
	}
	if (!rc)
		rc = spool_records(r->spool, keep_definition, &d);
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(d.stmt[i]);
	/* a rank whose MPI_Init has not ended has no time 0 yet */
	rows_time_make(&r->time,
		r->header->zero_ticks     ? r->header->zero_ticks :
			r->time.nreadings ? r->time.reading[0].ticks :
					    0,
		r->header->ns_per_tick);
	return rc ? rc : read_links(r);
}
