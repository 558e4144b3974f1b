/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables_doc.h: what the tables, views and columns of include/schema.sql mean, for tryst-tables(5).
 *
 * The schema itself gives the tables and columns. A test checks that each has a meaning here, and
 * that each entry here is about one of them.
 */
#ifndef TRYST_MERGE_TABLES_DOC_H
#define TRYST_MERGE_TABLES_DOC_H

#include <sqlite3.h>
#include <stdio.h>

struct table_doc {
	const char *name;
	const char *meaning;
};

/* A group of the index; names: of its tables, each after a space. */
struct table_group {
	const char *title;
	const char *names;
};

struct column_doc {
	const char *name; /* "column", or "table.column" where it differs there */
	const char *meaning;
};

/* All ended by an empty entry. */
extern const struct table_doc table_docs[];
extern const struct column_doc column_docs[];
extern const struct table_group table_groups[];

extern const char tables_introduction[];

/* A database with all tables, in memory; NULL where that cannot be made. */
sqlite3 *tables_open(void);

/* The entries for a table and for a column of it, NULL for none. */
const struct table_doc *table_doc_find(const char *table);
const struct column_doc *column_doc_find(const char *table, const char *column);

#endif
