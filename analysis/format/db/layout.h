/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h: do the tables and views of a file have the very text by which tryst makes them? See
 * layout.c.
 */
#ifndef TRYST_FORMAT_DB_LAYOUT_H
#define TRYST_FORMAT_DB_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sqlite3.h>

enum { LAYOUT_OPTIONAL = 3 };

/* What a version's files are made by: SQL texts. */
struct db_layout {
	const char *schema; /* all of its objects are there */
	/* these may be: of later steps, or absent from older files; NULL: none */
	const char *optional[LAYOUT_OPTIONAL];
};

/*
 * Compares the objects of schema `name` ("main", or of an attached file) with `layout`. 0; -EINVAL
 * with what differs in what[size], for "damaged or not tryst's: WHAT"; -EIO: SQLite's last error
 * tells; -ENOMEM.
 */
int db_layout_check(
	sqlite3 *db, const char *name, const struct db_layout *layout, char *what, size_t size);

/*
 * May table `table` of schema main be read in a file that does not pass db_layout_check() and whose
 * views are switched off? It has the layout's text, and nothing in the file has that name or is a
 * virtual table.
 */
bool db_layout_has_table(sqlite3 *db, const struct db_layout *layout, const char *table);

#endif
