/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells.h: sums by integer keys, in memory of fixed size.
 *
 * A full table is added to the database and emptied, so any number of cells fits.
 */
#ifndef TRYST_RANKS_CELLS_H
#define TRYST_RANKS_CELLS_H

#include <stdint.h>
#include <sqlite3.h>

enum { CELL_KEYS = 8, CELL_SUMS = 20, CELL_MAXES = 2 };

/*
 * The table's columns: keys, sums and maxima, in this order. The keys are its primary key.
 */
struct cells_layout {
	const char *table;
	const char *columns; /* names, separated by ", " */
	int keys, sums, maxes;
};

struct cell {
	int64_t key[CELL_KEYS];
	int64_t sum[CELL_SUMS];
	int64_t max[CELL_MAXES];
};

struct cells;

/* Returns 0 and *out, or a negative errno. */
int cells_new(sqlite3 *db, const struct cells_layout *layout, struct cells **out);

/*
 * The cell of that key, to which the caller adds. NULL: the database cannot be written;
 * cells_code() has the reason.
 */
struct cell *cells_at(struct cells *c, const int64_t *key);

/* Adds all cells to the database; does nothing after a failure. 0, or a negative errno. */
int cells_flush(struct cells *c);

/* The first failure: 0, or a negative errno. */
int cells_code(const struct cells *c);

/* Frees the table (or NULL), without writing its cells. */
void cells_free(struct cells *c);

#endif
