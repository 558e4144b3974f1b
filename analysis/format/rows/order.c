/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order.c: rows of collectives, windows and files, numbered in the order in which calls were
 * entered, and times without a CPU, numbered in the order in which they began.
 *
 * Records come in the order in which they left the threads' rings. Those of calls with a request
 * come when the request is complete. If several times without a CPU are read together, the newest
 * comes first. So some rows are held back: if rings fill alike, rows of other threads come only a
 * little late. If a row comes later still, the table is written once more at the end, at 1.5 us a
 * row.
 */
#include "analysis/format/rows/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/rows/queries.h"

/*
 * Before a row gets its id, value[0] counts the rows. So rows of equal times keep their order.
 */
static int by_time(const struct row *a, const struct row *b, int time)
{
	int64_t x = a->value[time], y = b->value[time];

	return x != y ? (x > y) - (x < y) :
			(a->value[0] > b->value[0]) - (a->value[0] < b->value[0]);
}

static int by_post(const void *a, const void *b)
{
	return by_time(a, b, COLL_ROW_POST);
}

static int by_enter(const void *a, const void *b)
{
	return by_time(a, b, RMA_ROW_ENTER);
}

static int by_off_cpu(const void *a, const void *b)
{
	return by_time(a, b, OFF_CPU_ROW_ENTER);
}

static const struct {
	int time; /* column of struct row */
	int (*compare)(const void *, const void *);
	const char *rewrite, *pending;
} tables[ROWS_TABLES] = {
	[ROWS_COLL] = { COLL_ROW_POST, by_post, sql_rows_sort_coll, sql_rows_pending_coll },
	[ROWS_RMA] = { RMA_ROW_ENTER, by_enter, sql_rows_sort_rma, sql_rows_pending_rma },
	[ROWS_IO] = { IO_ROW_ENTER, by_enter, sql_rows_sort_io, sql_rows_pending_io },
	[ROWS_OFF_CPU] = { OFF_CPU_ROW_ENTER, by_off_cpu, sql_rows_sort_off_cpu, NULL },
};

bool rows_are_ordered(enum rows_table table)
{
	return tables[table].rewrite;
}

static bool in_order(const struct rows_queue *q, int time)
{
	for (uint32_t i = 1; i < q->n; i++)
		if (q->row[i].value[time] < q->row[i - 1].value[time])
			return false;
	return true;
}

void rows_sort(struct rows *r, enum rows_table table, uint32_t n)
{
	struct rows_queue *q = &r->queue[table];
	int time = tables[table].time;

	if (!in_order(q, time))
		qsort(q->row, q->n, sizeof(*q->row), tables[table].compare);
	if (q->written && q->row[0].value[time] < q->last_ns)
		q->disordered = true;
	q->last_ns = q->row[n - 1].value[time];
	for (uint32_t i = 0; i < n; i++)
		q->row[i].value[0] = r->id_base + (int64_t)++q->written;
}

static int rewrite(struct rows *r, enum rows_table table)
{
	return db_exec_quiet(r->db, tables[table].rewrite);
}

int rows_order(struct rows *r)
{
	int rc = 0;

	for (int t = 0; t < ROWS_TABLES && !rc; t++) {
		if (r->queue[t].disordered)
			rc = rewrite(r, (enum rows_table)t);
		if (r->queue[t].pending && !rc)
			rc = db_exec_quiet(r->db, tables[t].pending);
	}
	return rc;
}
