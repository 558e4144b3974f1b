/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranges.h: the values that columns of a run's database may have. They are checked when a rank is
 * merged and once when a database is opened. Queries can then rely on them. Tables with one row for
 * each operation are checked by the code that reads them.
 */
#ifndef TRYST_FORMAT_DB_RANGES_H
#define TRYST_FORMAT_DB_RANGES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct db_range {
	const char *table, *column;
	const char *key;     /* of table run, a pattern as for GLOB; NULL: all rows */
	int shift;           /* of a column with several values in its bits: the lowest one's */
	int64_t mask;        /* and all of them, shifted; 0: it has one value */
	int64_t least, most; /* NULL is always possible */
};

/* Rows of a table stand together, and it is read once for them. Ends with a row without a table. */
extern const struct db_range db_ranges[];

/* A search for values outside these ranges, in one database. */
struct db_ranges_query {
	const struct db_range *ranges;
	bool one_rank;
	sqlite3_stmt *find;
};

/*
 * Prepares the search in schema main of `db`. one_rank: it reads the rows of one rank only, found
 * by their key. Returns 0, or -EIO: SQLite's last error has the cause. In both cases call
 * db_ranges_release() before `db` is closed.
 */
int db_ranges_prepare(
	sqlite3 *db, const struct db_range *ranges, bool one_rank, struct db_ranges_query *out);

/*
 * Looks at all rows, or at those of `rank`. Returns 0; -EINVAL, with the table, the column and the
 * value in what[size]; or -EIO: SQLite's last error has the cause.
 */
int db_ranges_check(const struct db_ranges_query *q, int32_t rank, char *what, size_t size);

void db_ranges_release(struct db_ranges_query *q);

#endif
