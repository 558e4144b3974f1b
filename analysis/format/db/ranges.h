/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranges.h: the values that columns of a run's database may have. They are checked when a rank is
 * merged and once when a database is opened. Queries can then rely on them, and on sums that stay
 * below 2^63. Rows of op_row and busy_row are checked by the code that reads them
 * (analysis/ranks/ranks.c): no query adds them up.
 */
#ifndef TRYST_FORMAT_DB_RANGES_H
#define TRYST_FORMAT_DB_RANGES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/say.h"

struct db_range {
	const char *table, *column;
	const char *key;     /* of table run, a pattern as for GLOB; NULL: all rows */
	int shift;           /* of a column with several values in its bits: the lowest one's */
	int64_t mask;        /* all of its bits, shifted down; 0: the column has one value */
	int64_t least, most; /* NULL is always possible */
	double adds;         /* limit of the sum of all rows' absolute values; 0: none */
};

/* Entries of a table are adjacent, so that it is read once. An entry without a table is the end. */
extern const struct db_range db_ranges[];

/*
 * All entries but those of off_cpu_row. The code by which an analysis reads that table checks each
 * row, as for op_row.
 */
const struct db_range *db_ranges_for_analysis(void);

/* The last entries: those of the tables that an analysis fills. */
const struct db_range *db_ranges_of_analysis(void);

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

/*
 * Looks at all rows of `db` for values outside `ranges`. Unless `ranges` is the result of
 * db_ranges_of_analysis(), also checks that all ranks have the same world size and are below it.
 * Returns 0, or a negative errno after saying "cannot VERB 'PATH'" and why.
 */
int db_ranges_hold(sqlite3 *db, const struct db_range *ranges, const char *verb, const char *path,
	const struct say *say);

#endif
