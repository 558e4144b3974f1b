/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.c: a hash table of sums that is flushed when full (cells.h). */
#include "analysis/ranks/cells.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"

enum {
	SLOTS = 1 << 15,
	SLOTS_FULL = SLOTS / 4 * 3,
	NAME_MOST = 18 /* bytes of a column's name */
};

struct cells {
	const struct cells_layout *layout;
	sqlite3_stmt *add;
	int rc; /* the first failure so far */
	uint32_t used;
	uint32_t tag[SLOTS]; /* of the key's hash; 0: the slot is free */
	struct cell slot[SLOTS];
};

static int columns_of(const struct cells_layout *l)
{
	return l->keys + l->sums + l->maxes;
}

/* The statement that adds a row: INSERT ... ON CONFLICT (keys), sums are added, maxima compared. */
static int prepare_insert(sqlite3 *db, const struct cells_layout *l, sqlite3_stmt **out)
{
	char sql[4096], *at = sql;
	const int columns = columns_of(l);
	const char *name[CELL_COLUMNS];
	sqlite3_stmt *table;
	int rc = db_prepare_rows(db, l->table, &table);

	if (!rc && (columns > CELL_COLUMNS || sqlite3_column_count(table) != columns))
		rc = -EINVAL;
	for (int i = 0; i < columns && !rc; i++) {
		name[i] = sqlite3_column_name(table, i);
		if (!name[i] || strlen(name[i]) > NAME_MOST)
			rc = name[i] ? -EINVAL : -ENOMEM;
	}
	at += sprintf(at, "INSERT INTO %s VALUES (?", l->table);
	for (int i = 1; i < columns; i++)
		at += sprintf(at, ",?");
	at += sprintf(at, ") ON CONFLICT ("); /* keys are named: omitting them needs SQLite 3.35 */
	for (int i = 0; i < l->keys && !rc; i++)
		at += sprintf(at, i ? ", %s" : "%s", name[i]);
	at += sprintf(at, ") DO UPDATE SET ");
	for (int i = l->keys; i < columns && !rc; i++)
		at += sprintf(at,
			i < l->keys + l->sums ? "%s%s = %s + excluded.%s" :
						"%s%s = max(%s, excluded.%s)",
			i > l->keys ? ", " : "", name[i], name[i], name[i]);
	if (!rc)
		rc = db_prepare(db, sql, out);
	sqlite3_finalize(table);
	return rc;
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
	for (int i = 0; i < columns_of(c->layout); i++)
		sqlite3_bind_int64(c->add, i + 1, cell->value[i]);
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
		if (c->tag[i] == tag && same_key(c->slot[i].value, key, keys))
			return &c->slot[i];
	c->tag[i] = tag;
	c->used++;
	memset(&c->slot[i], 0, sizeof(c->slot[i]));
	memcpy(c->slot[i].value, key, (size_t)keys * sizeof(*key));
	for (int k = keys + c->layout->sums; k < columns_of(c->layout); k++)
		c->slot[i].value[k] = INT64_MIN;
	return &c->slot[i];
}
