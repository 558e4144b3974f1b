/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h: compares the tables and views of a file with the SQL text by which tryst makes them
 * (see layout.c).
 */
#ifndef TRYST_FORMAT_DB_LAYOUT_H
#define TRYST_FORMAT_DB_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sqlite3.h>

enum { LAYOUT_OPTIONAL = 3 };

/* The SQL texts by which files of one version are made. */
struct db_layout {
	const char *schema; /* a file has all of its objects */
	/* objects that a file may lack: later steps make them, or older files have none; NULL: end
	 */
	const char *optional[LAYOUT_OPTIONAL];
};

/*
 * Compares the objects of schema `name` ("main", or of an attached file) with `layout`. 0; -EINVAL
 * with the difference in what[size], for "damaged or not tryst's: WHAT"; -EIO: see SQLite's last
 * error; -ENOMEM.
 */
int db_layout_check(
	sqlite3 *db, const char *name, const struct db_layout *layout, char *what, size_t size);

/*
 * True if `table` of schema main may be read although the file fails db_layout_check() and its
 * views are switched off. The table then has the layout's text, nothing else has its name, and it
 * is no virtual table.
 */
bool db_layout_has_table(sqlite3 *db, const struct db_layout *layout, const char *table);

#endif
