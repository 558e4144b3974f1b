/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_cells.c: adds up the cells of wait_profile (wait_cells.h). */
#include "analysis/format/rows/wait_cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"
#include "analysis/format/rows/queries.h"
#include "analysis/format/rows/time.h"

enum {
	CELLS = 1 << 16, /* 6 MiB */
	CELLS_FULL = CELLS / 4 * 3
};

struct cell {
	struct rows_wait_key key;
	struct rows_wait_sums sums; /* count 0: free */
};

struct rows_wait {
	sqlite3 *db;
	sqlite3_stmt *insert;
	int32_t rank;
	uint32_t used;
	struct cell **in_use; /* CELLS_FULL; the other places of `cell` are never touched */
	struct cell *cell;
};

int rows_wait_new(sqlite3 *db, int32_t rank, struct rows_wait **out)
{
	struct rows_wait *w = calloc(1, sizeof(*w));

	*out = w;
	if (!w)
		return -ENOMEM;
	w->db = db;
	w->rank = rank;
	w->cell = calloc(CELLS, sizeof(*w->cell));
	w->in_use = malloc(CELLS_FULL * sizeof(struct cell *));
	if (!w->cell || !w->in_use)
		return -ENOMEM;
	return db_prepare(db, sql_rows_wait_cell, &w->insert);
}

void rows_wait_free(struct rows_wait *w)
{
	if (!w)
		return;
	sqlite3_finalize(w->insert);
	free(w->in_use);
	free(w->cell);
	free(w);
}

static uint64_t hash(const struct rows_wait_key *k)
{
	uint64_t h = (uint64_t)k->callsite << 32 | (uint32_t)k->peer;

	h = h * 0x9e3779b97f4a7c15ULL ^ (uint64_t)k->code;
	h = h * 0xbf58476d1ce4e5b9ULL ^ ((uint64_t)k->comm << 8 | k->bytes_log2);
	h *= 0x94d049bb133111ebULL;
	return h ^ h >> 32;
}

static int same(const struct rows_wait_key *a, const struct rows_wait_key *b)
{
	return a->code == b->code && a->callsite == b->callsite && a->peer == b->peer &&
		a->comm == b->comm && a->bytes_log2 == b->bytes_log2;
}

int rows_wait_add(
	struct rows_wait *w, const struct rows_wait_key *key, const struct rows_wait_sums *sums)
{
	struct cell *cell;

	if (sums->count == 0)
		return 0;
	if (w->used >= CELLS_FULL) {
		int rc = rows_wait_flush(w);

		if (rc)
			return rc;
	}
	for (uint64_t i = hash(key);; i++) {
		cell = &w->cell[i & (CELLS - 1)];
		if (cell->sums.count == 0 || same(&cell->key, key))
			break;
	}
	if (cell->sums.count == 0) {
		w->in_use[w->used++] = cell;
		cell->key = *key;
	}
	cell->sums.count += sums->count;
	cell->sums.bytes += sums->bytes;
	cell->sums.blocked_ns = rows_plus(cell->sums.blocked_ns, sums->blocked_ns);
	cell->sums.predicted_ns = rows_plus(cell->sums.predicted_ns, sums->predicted_ns);
	cell->sums.excess_ns = rows_plus(cell->sums.excess_ns, sums->excess_ns);
	cell->sums.wait_ns = rows_plus(cell->sums.wait_ns, sums->wait_ns);
	if (sums->max_wait_ns > cell->sums.max_wait_ns)
		cell->sums.max_wait_ns = sums->max_wait_ns;
	return 0;
}

/* The order of wait_cell's key, so that rows are appended. */
static int by_key(const void *a, const void *b)
{
	const struct rows_wait_key *x = &(*(struct cell *const *)a)->key;
	const struct rows_wait_key *y = &(*(struct cell *const *)b)->key;

	if (x->callsite != y->callsite)
		return x->callsite < y->callsite ? -1 : 1;
	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	if (x->peer != y->peer)
		return x->peer < y->peer ? -1 : 1;
	if (x->comm != y->comm)
		return x->comm < y->comm ? -1 : 1;
	return (x->bytes_log2 > y->bytes_log2) - (x->bytes_log2 < y->bytes_log2);
}

int rows_wait_flush(struct rows_wait *w)
{
	int rc = 0;

	qsort(w->in_use, w->used, sizeof(*w->in_use), by_key);
	for (uint32_t i = 0; i < w->used && !rc; i++) {
		const struct cell *c = w->in_use[i];
		const int64_t value[] = { w->rank, c->key.callsite, c->key.code, c->key.peer,
			c->key.comm, c->key.bytes_log2, (int64_t)c->sums.count,
			(int64_t)c->sums.bytes, c->sums.blocked_ns, c->sums.predicted_ns,
			c->sums.excess_ns, c->sums.wait_ns, c->sums.max_wait_ns };

		for (int v = 0; v < (int)(sizeof(value) / sizeof(value[0])); v++)
			sqlite3_bind_int64(w->insert, v + 1, value[v]);
		rc = db_execute(w->insert);
	}
	for (uint32_t i = 0; i < w->used; i++)
		memset(w->in_use[i], 0, sizeof(**w->in_use));
	w->used = 0;
	return rc;
}
