/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h: the result of a query as a table for people or for machines.
 *
 * The column's name determines the unit of a number: `wait_ns` is a duration, `bytes` and
 * `sent_bytes` are sizes, `share_pct` is a percentage, `G_s_ns_per_byte` a slope; other numbers are
 * counts. TABLE_TEXT shows durations and sizes with a unit that suits them; all other formats give
 * the number as it is, with its column's full name.
 *
 * Blobs are hexadecimal digits. In text and CSV, what a terminal would obey is escaped as in
 * analysis/base/shown.h; CSV keeps newlines, in quotes, and tabs. JSON has \uNNNN for these
 * characters and U+FFFD for a byte that is no UTF-8, null for a number that is not finite, and
 * NAME_2 for a second column NAME. TABLE_SPREADSHEET is CSV in which a text that a spreadsheet
 * would take for a formula has a ' before it.
 */
#ifndef TRYST_TEXT_TABLE_H
#define TRYST_TEXT_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_SPREADSHEET, TABLE_PLAIN };

/* Behind `text` or `table` in the table of an option: formats in the order of the enum. */
#define TABLE_FORMATS "csv|json|spreadsheet"

/* TABLE_PLAIN: aligned like TABLE_TEXT, values and names as they are (`tryst sql`) */

enum cell_type { CELL_NULL, CELL_INTEGER, CELL_REAL, CELL_TEXT, CELL_BLOB };

/* A value. Text has `bytes` bytes, and may contain NUL. */
struct table_cell {
	enum cell_type type;
	int64_t integer;
	double real;      /* also set for an integer */
	const char *text; /* CELL_TEXT and CELL_BLOB; NULL: no memory */
	size_t bytes;
};

/* Reads a column of the current row of `stmt`. Its text lasts until the next step. */
void table_cell_read(sqlite3_stmt *stmt, int column, struct table_cell *cell);

/* Rows that are read one after the other. */
struct table_source {
	int ncolumns;
	const char *(*name)(void *from, int column); /* NULL: no memory */
	int (*next)(void *from);                     /* 1: at a row; 0: at the end; -errno */
	void (*cell)(void *from, int column, struct table_cell *cell); /* until the next row */
	/*
	 * How well readers can do without a column; 0: it stays. While rows are too wide,
	 * TABLE_TEXT leaves out the column with the highest number. For this, a place counts as at
	 * most 60 wide. NULL: all columns stay.
	 */
	int (*spare)(void *from, int column);
	void *from;
};

/*
 * Prints all rows of `stmt`. `columns` is the width to fit (0: any): text columns are shortened
 * for it, numbers never. `section` begins each line of CSV where it is not NULL; JSON is one array
 * of objects. Text columns named `where` and `waited_at` keep their end, others their beginning; a
 * file and its line there are cut last. In TABLE_TEXT a last column without any value is left out.
 * Returns the number of rows, or -1 where a row cannot be had.
 */
int64_t table_print(
	FILE *out, sqlite3_stmt *stmt, enum table_format format, int columns, const char *section);

/* The same of any rows. In TABLE_TEXT it prints the first `most` alone. */
int64_t table_print_rows(FILE *out, const struct table_source *rows, enum table_format format,
	int columns, const char *section, int64_t most);

/* A duration as "12.3 ms", a size as "4.00 KiB", a count as "1,234". Returns text. */
const char *duration_text(double ns, char *text, size_t size);
const char *bytes_text(double bytes, char *text, size_t size);
const char *count_text(int64_t n, char *text, size_t size);

/* `text` as a JSON string with its quotes. */
void json_string(FILE *out, const char *text);

#endif
