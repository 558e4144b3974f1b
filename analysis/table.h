/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h: the result of a query as a table for people or for machines.
 *
 * What a number is follows from its column's name, so that a report is a query and nothing else:
 * `wait_ns` is a duration, `bytes` and `sent_bytes` are sizes, `share_pct` is a percentage,
 * `G_s_ns_per_byte` a slope; other numbers are counts. TABLE_TEXT shows durations and sizes with
 * a unit that suits them; all other formats give the number as it is, with its column's full name.
 */
#ifndef TRYST_TABLE_H
#define TRYST_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_JSON, TABLE_PLAIN };
/* TABLE_PLAIN: aligned like TABLE_TEXT, values and names as they are (`tryst sql`) */

/*
 * Steps `stmt` to its end and prints all rows. `columns` is the width to fit (0: any): text
 * columns are shortened for it, numbers never. `section` begins each line of CSV where it is not
 * NULL; JSON is one array of objects. Text columns named `where` and `waited_at` keep their end, others their
 * beginning; a file and its line there are cut last. In TABLE_TEXT a last column without any value is left out. Returns the number of rows, or -1 with sqlite3_errmsg() set by the query's failure.
 */
int64_t table_print(FILE *out, sqlite3_stmt *stmt, enum table_format format, int columns,
	const char *section);

/* As TABLE_TEXT, but prints the first `most` rows alone. Returns how many there are, or -1 as above. */
int64_t table_print_first(FILE *out, sqlite3_stmt *stmt, int columns, int64_t most);

/* A duration as "12.3 ms", a size as "4.00 KiB". Returns text. */
const char *duration_text(double ns, char *text, size_t size);
const char *bytes_text(double bytes, char *text, size_t size);

/* `text` as a JSON string with its quotes. */
void json_string(FILE *out, const char *text);

#endif
