/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inside.c: was a rank inside MPI at some time?
 *
 * Busy rows of a rank follow each other in time, so the one at a given time is found by bisection
 * over their ids: some twenty rows are read, whatever the length of the run.
 */
#include <config.h>

#include "analysis/report/report.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/format/db/db.h"
#include "analysis/report/queries.h"
#include "analysis/format/rows/time.h"

enum {
	/* looked at behind the one that was found: more would be a sum over the whole run */
	MOST_ROWS = 512,
	RANKS_MAX = 1 << 23 /* what ids have room for */
};

struct inside_reader {
	sqlite3_stmt *at;   /* the first row at or after an id, not beyond another */
	sqlite3_stmt *last; /* the greatest id below another */
};

static void release(void *data)
{
	struct inside_reader *r = data;

	sqlite3_finalize(r->at);
	sqlite3_finalize(r->last);
	free(r);
}

static bool read_row(struct inside_reader *r, int64_t id, int64_t end, int64_t *found,
	int64_t *enter, int64_t *leave)
{
	bool any;

	sqlite3_bind_int64(r->at, 1, id);
	sqlite3_bind_int64(r->at, 2, end);
	any = db_step(r->at) > 0;
	if (any) {
		*found = sqlite3_column_int64(r->at, 0);
		*enter = sqlite3_column_int64(r->at, 1);
		*leave = rows_plus(*enter, sqlite3_column_int64(r->at, 2));
	}
	sqlite3_reset(r->at);
	return any;
}

static int64_t last_id(struct inside_reader *r, int64_t end)
{
	int64_t id = -1;

	sqlite3_bind_int64(r->last, 1, end);
	if (db_step(r->last) > 0 && sqlite3_column_type(r->last, 0) != SQLITE_NULL)
		id = sqlite3_column_int64(r->last, 0);
	sqlite3_reset(r->last);
	return id;
}

/* The id of the first row that ends after `ns`, in [first, end). */
static int64_t first_after(struct inside_reader *r, int64_t first, int64_t end, int64_t ns)
{
	while (first < end) {
		int64_t middle = first + (end - first) / 2, found, enter, leave;

		if (!read_row(r, middle, end, &found, &enter, &leave) || leave > ns)
			end = middle;
		else
			first = found + 1;
	}
	return first;
}

static void inside_ns(sqlite3_context *context, int n, sqlite3_value **value)
{
	struct inside_reader *r = sqlite3_user_data(context);
	int64_t rank = sqlite3_value_int64(value[0]), from = sqlite3_value_int64(value[1]);
	int64_t to = sqlite3_value_int64(value[2]), sum = 0, id, end, enter, leave, until = from;
	int rows = 0;

	(void)n;
	if (sqlite3_value_type(value[1]) == SQLITE_NULL ||
		sqlite3_value_type(value[2]) == SQLITE_NULL || rank < 0 || rank >= RANKS_MAX ||
		from < -ROWS_NS_MAX || to > ROWS_NS_MAX)
		return;
	end = last_id(r, (rank + 1) * IDS_OF_RANK) + 1;
	if (end <= rank * IDS_OF_RANK || !read_row(r, end - 1, end, &id, &enter, &leave) ||
		leave < from)
		return;
	id = first_after(r, rank * IDS_OF_RANK, end, from);
	while (rows++ < MOST_ROWS && read_row(r, id, end, &id, &enter, &leave) && enter < to) {
		/* threads may be inside at the same time: count it once */
		if (enter < until)
			enter = until;
		if (leave > to)
			leave = to;
		if (leave > enter) {
			sum += leave - enter;
			until = leave;
		}
		id++;
	}
	if (rows <= MOST_ROWS)
		sqlite3_result_int64(context, sum);
}

int report_inside_function(sqlite3 *db)
{
	struct inside_reader *r = calloc(1, sizeof *r);
	int rc = -ENOMEM;

	if (!r)
		return rc;
	rc = db_prepare(db, sql_report_inside_first, &r->at);
	if (!rc)
		rc = db_prepare(db, "SELECT max(id) FROM busy_row WHERE id < ?1", &r->last);
	if (rc) {
		release(r);
		return rc;
	}
	/* calls release() also where it fails */
	sqlite3_create_function_v2(
		db, "inside_ns", 3, SQLITE_UTF8, r, inside_ns, NULL, NULL, release);
	return db_last_error(db);
}

int report_inside_remove(sqlite3 *db)
{
	sqlite3_create_function_v2(db, "inside_ns", 3, SQLITE_UTF8, NULL, NULL, NULL, NULL, NULL);
	return db_last_error(db);
}
