/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.c: adds up samples and times without a CPU (samples.h). */
#include "analysis/format/rows/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/rows/queries.h"
#include "analysis/format/rows/time.h"

enum {
	CELLS = 1 << 14, /* 0.6 MiB */
	CELLS_FULL = CELLS / 4 * 3
};

/* The last part of the key: a place, or an enum off_cpu. */
struct cell {
	uint32_t thread, callsite, after, last;
	uint64_t count; /* 0: free */
	int64_t ns, max_ns;
};

struct cells {
	sqlite3_stmt *insert;
	struct cell *cell;
	uint32_t used;
};

enum kind { SAMPLES, OFF_CPU, KINDS };

struct rows_samples {
	int32_t rank;
	struct cells cells[KINDS];
};

int64_t rows_samples_thread(uint32_t thread)
{
	return thread >= THREAD_OUTSIDE ? -1 - (int64_t)(thread - THREAD_OUTSIDE) : thread;
}

int rows_samples_new(sqlite3 *db, int32_t rank, struct rows_samples **out)
{
	const char *const sql[KINDS] = { sql_rows_sample_cell, sql_rows_off_cpu_cell };
	struct rows_samples *s = calloc(1, sizeof(*s));
	int rc = 0;

	*out = s;
	if (!s)
		return -ENOMEM;
	s->rank = rank;
	for (int i = 0; i < KINDS && !rc; i++) {
		s->cells[i].cell = calloc(CELLS, sizeof(struct cell));
		rc = s->cells[i].cell ? db_prepare(db, sql[i], &s->cells[i].insert) : -ENOMEM;
	}
	return rc;
}

void rows_samples_free(struct rows_samples *s)
{
	for (int i = 0; s && i < KINDS; i++) {
		sqlite3_finalize(s->cells[i].insert);
		free(s->cells[i].cell);
	}
	free(s);
}

static int flush(struct rows_samples *s, enum kind kind)
{
	struct cells *c = &s->cells[kind];
	int rc = 0;

	for (uint32_t i = 0; i < CELLS && c->used && !rc; i++) {
		struct cell *at = &c->cell[i];

		if (at->count == 0)
			continue;
		sqlite3_bind_int64(c->insert, 1, s->rank);
		sqlite3_bind_int64(c->insert, 2, rows_samples_thread(at->thread));
		sqlite3_bind_int64(c->insert, 3, at->callsite);
		sqlite3_bind_int64(c->insert, 4, at->after);
		sqlite3_bind_int64(c->insert, 5, at->last);
		sqlite3_bind_int64(c->insert, 6, (int64_t)at->count);
		if (kind == OFF_CPU) {
			sqlite3_bind_int64(c->insert, 7, at->ns);
			sqlite3_bind_int64(c->insert, 8, at->max_ns);
		}
		rc = db_execute(c->insert);
		/*
		 * only used cells are cleared: to write all pages would cost more than most ranks'
		 * rows
		 */
		*at = (struct cell){ 0 };
		c->used--;
	}
	return rc;
}

int rows_samples_flush(struct rows_samples *s)
{
	int rc = flush(s, SAMPLES);

	return rc ? rc : flush(s, OFF_CPU);
}

static uint64_t hash(const struct cell *k)
{
	uint64_t h = (uint64_t)k->callsite << 32 | k->after;

	h = h * 0x9e3779b97f4a7c15ULL ^ ((uint64_t)k->thread << 32 | k->last);
	h *= 0xbf58476d1ce4e5b9ULL;
	return h ^ h >> 32;
}

static int add(struct rows_samples *s, enum kind kind, const struct cell *more)
{
	struct cells *c = &s->cells[kind];
	int rc = c->used >= CELLS_FULL ? flush(s, kind) : 0;
	struct cell *at;

	for (uint64_t i = hash(more);; i++) {
		at = &c->cell[i & (CELLS - 1)];
		if (at->count == 0 ||
			(at->thread == more->thread && at->callsite == more->callsite &&
				at->after == more->after && at->last == more->last))
			break;
	}
	if (at->count == 0) {
		*at = *more;
		c->used++;
		return rc;
	}
	at->count += more->count;
	at->ns = rows_plus(at->ns, more->ns);
	if (more->max_ns > at->max_ns)
		at->max_ns = more->max_ns;
	return rc;
}

int rows_samples_add(struct rows_samples *s, const struct rec_sample *sample)
{
	if (sample->count == 0)
		return 0;
	return add(s, SAMPLES,
		&(struct cell){ sample->head.id, sample->callsite, sample->after, sample->place,
			sample->count, 0, 0 });
}

int rows_samples_add_off_cpu(struct rows_samples *s, const struct rec_off_cpu *off, int64_t ns)
{
	return add(s, OFF_CPU,
		&(struct cell){
			off->head.id, off->callsite, off->after, off->head.pad, 1, ns, ns });
}
