/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.h: reads tables of integers in the order of their ids from the pages of an SQLite file
 * (format: https://www.sqlite.org/fileformat2.html).
 *
 * The analysis reads millions of rows of op_row once, in order. A row of 14 columns costs many
 * times more through SQLite. All else is read through SQLite. Files may be damaged in any way: a
 * violation of the format ends the reading with -EINVAL.
 *
 * Nobody may write to the pages of the tables that are read. A process that holds locks on the file
 * through SQLite loses them when it closes it here (POSIX): close after the transaction.
 */
#ifndef TRYST_FORMAT_DB_PAGES_H
#define TRYST_FORMAT_DB_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/format/db/batch.h"

struct pages_file {
	int fd;
	uint32_t page_bytes, usable;
	uint32_t npages;
	uint32_t version; /* PRAGMA user_version */
	uint8_t *page;    /* the page that was read last, and room behind it */
	uint32_t number;  /* its number; 0: none */
};

enum { PAGES_DEPTH = 12 };

/* A place in a table, from row to row; holds no file open. */
struct pages_cursor {
	uint32_t depth;
	struct {
		uint32_t page;
		uint32_t next; /* cell or child to go on with */
	} at[PAGES_DEPTH];     /* root first, leaf last */
	uint32_t visited;      /* pages; a tree of a file has no more than the file */
	bool started;          /* a row was read */
	int64_t last;          /* its id; rows to come are above it */
};

/*
 * Opens the file. 0; -EINVAL: not SQLite's, or one with a write-ahead log, whose newest rows may be
 * elsewhere; another negative errno.
 */
int pages_open(const char *path, struct pages_file *out);

/* Does nothing for a zero-filled struct. */
void pages_close(struct pages_file *f);

/*
 * Number of the page at which the table's tree begins; 0: it is not there, or the file is damaged.
 */
uint32_t pages_root(struct pages_file *f, const char *table);

/*
 * The number of the table's rows on readable pages. If it exceeds `most`: any number above `most`.
 */
uint64_t pages_count(struct pages_file *f, uint32_t root, uint64_t most);

/* Before the first row whose id is above `after`. */
void pages_seek(struct pages_cursor *c, uint32_t root, int64_t after);

/*
 * Reads up to `room` rows into row[], at most `columns` columns each, in the table's order. The
 * first is the id. Missing columns, and values that are not integers, are ROW_NULL. *got is the
 * number of rows read, also before damage. Returns 0, and *got is less than `room` only at the
 * table's end; -EINVAL: damaged from here on; -EIO or another negative errno of reading.
 */
int pages_read(struct pages_file *f, struct pages_cursor *c, int columns, struct row *row,
	uint32_t room, uint32_t *got);

#endif
