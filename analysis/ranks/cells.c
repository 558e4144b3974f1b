/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.c: a hash table of sums that is flushed when full (cells.h). */
#include "analysis/ranks/cells.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"

enum { SLOTS = 1 << 15, SLOTS_FULL = SLOTS / 4 * 3 };

struct cells {
	const struct cells_layout *layout;
	sqlite3_stmt *add;
	int rc; /* the first failure so far */
	uint32_t used;
	uint32_t tag[SLOTS]; /* of the key's hash; 0: the slot is free */
	struct cell slot[SLOTS];
};

/* INSERT ... ON CONFLICT (keys): sums are added, maxima compared. */
static int prepare_insert(sqlite3 *db, const struct cells_layout *l, sqlite3_stmt **out)
{
	char name[CELL_KEYS + CELL_SUMS + CELL_MAXES][32], sql[2048], *at = sql;
	const char *rest = l->columns;
	int columns = l->keys + l->sums + l->maxes;

	for (int i = 0; i < columns; i++) {
		int n = 0;

		sscanf(rest, "%31[^, ]%n", name[i], &n);
		rest += n;
		rest += strspn(rest, ", ");
	}
	at += sprintf(at, "INSERT INTO %s (%s) VALUES (?", l->table, l->columns);
	for (int i = 1; i < columns; i++)
		at += sprintf(at, ",?");
	at += sprintf(at, ") ON CONFLICT ("); /* keys are named: omitting them needs SQLite 3.35 */
	for (int i = 0; i < l->keys; i++)
		at += sprintf(at, i ? ", %s" : "%s", name[i]);
	at += sprintf(at, ") DO UPDATE SET ");
	for (int i = l->keys; i < columns; i++)
		at += sprintf(at,
			i < l->keys + l->sums ? "%s%s = %s + excluded.%s" :
						"%s%s = max(%s, excluded.%s)",
			i > l->keys ? ", " : "", name[i], name[i], name[i]);
	return db_prepare(db, sql, out);
}

int cells_new(sqlite3 *db, const struct cells_layout *layout, struct cells **out)
{
	struct cells *c = calloc(1, sizeof(*c));
	int rc;

	*out = c;
	if (!c)
		return -ENOMEM;
	c->layout = layout;
	rc = prepare_insert(db, layout, &c->add);
	if (rc) {
		cells_free(c);
		*out = NULL;
	}
	return rc;
}

void cells_free(struct cells *c)
{
	if (c)
		sqlite3_finalize(c->add);
	free(c);
}

static int write_cell(struct cells *c, const struct cell *cell)
{
	const struct cells_layout *l = c->layout;
	int column = 1;

	for (int i = 0; i < l->keys; i++)
		sqlite3_bind_int64(c->add, column++, cell->key[i]);
	for (int i = 0; i < l->sums; i++)
		sqlite3_bind_int64(c->add, column++, cell->sum[i]);
	for (int i = 0; i < l->maxes; i++)
		sqlite3_bind_int64(c->add, column++, cell->max[i]);
	return db_execute(c->add);
}

int cells_flush(struct cells *c)
{
	for (uint32_t i = 0; i < SLOTS && !c->rc; i++)
		if (c->tag[i])
			c->rc = write_cell(c, &c->slot[i]);
	memset(c->tag, 0, sizeof(c->tag));
	c->used = 0;
	return c->rc;
}

int cells_code(const struct cells *c)
{
	return c->rc;
}

static bool same_key(const int64_t *a, const int64_t *b, int keys)
{
	for (int k = 0; k < keys; k++)
		if (a[k] != b[k])
			return false;
	return true;
}

struct cell *cells_at(struct cells *c, const int64_t *key)
{
	const int keys = c->layout->keys;
	uint64_t x = 0;
	uint32_t i, tag;

	if (c->used >= SLOTS_FULL && cells_flush(c) != 0)
		return NULL;
	for (int k = 0; k < keys; k++)
		x = (x ^ (uint64_t)key[k]) * 0x9e3779b97f4a7c15ULL ^ x >> 31;
	tag = (uint32_t)x | 1;
	for (i = x >> 32 & (SLOTS - 1); c->tag[i]; i = (i + 1) & (SLOTS - 1))
		if (c->tag[i] == tag && same_key(c->slot[i].key, key, keys))
			return &c->slot[i];
	c->tag[i] = tag;
	c->used++;
	memset(&c->slot[i], 0, sizeof(c->slot[i]));
	memcpy(c->slot[i].key, key, (size_t)keys * sizeof(*key));
	for (int k = 0; k < CELL_MAXES; k++)
		c->slot[i].max[k] = INT64_MIN;
	return &c->slot[i];
}
