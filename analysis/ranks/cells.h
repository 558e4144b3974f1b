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

enum { CELL_COLUMNS = 28 };

/*
 * A table of at most CELL_COLUMNS columns: keys, which are its primary key, then sums, then maxima.
 */
struct cells_layout {
	const char *table;
	int keys, sums, maxes; /* at least one key and one sum */
};

/* A row, by the numbers of the table's columns: EXACT_CELL_COUNT, which layouts.awk makes. */
struct cell {
	int64_t value[CELL_COLUMNS];
};

struct cells;

/*
 * `layout` is kept, and its table is in `db`. Returns 0 and *out, for cells_free(); else a negative
 * errno, -EINVAL if the table has another number of columns or a name beyond 18 bytes.
 */
int cells_new(sqlite3 *db, const struct cells_layout *layout, struct cells **out);

/*
 * The cell with these keys, to which the caller adds. A new one has sums of 0, and INT64_MIN for
 * maxima. It is valid until the next call. NULL: the database cannot be written; cells_code() has
 * the reason.
 */
struct cell *cells_at(struct cells *c, const int64_t *key);

/* Adds all cells to the database; does nothing after a failure. 0, or a negative errno. */
int cells_flush(struct cells *c);

/* The first failure: 0, or a negative errno. */
int cells_code(const struct cells *c);

/* Frees the table (or NULL), without writing its cells. */
void cells_free(struct cells *c);

#endif
