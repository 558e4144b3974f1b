/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_tables_doc.c: tryst-tables(5) describes every table and column of the schema, and no others.
 */
#include <config.h>

#include <string.h>

#include "analysis/merge/queries.h"
#include "analysis/merge/tables_doc.h"
#include "tests/unit/unit.h"

static sqlite3 *db;

static int count(const char *sql, const char *a, const char *b)
{
	sqlite3_stmt *s;
	int n = -1;

	CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	sqlite3_bind_text(s, 1, a, -1, SQLITE_STATIC);
	if (b)
		sqlite3_bind_text(s, 2, b, -1, SQLITE_STATIC);
	if (sqlite3_step(s) == SQLITE_ROW)
		n = sqlite3_column_int(s, 0);
	sqlite3_finalize(s);
	return n;
}

static void every_table_and_column_has_a_meaning(void)
{
	sqlite3_stmt *table, *column;
	int n = 0;

	sqlite3_prepare_v2(db, sql_merge_public_tables, -1, &table, NULL);
	while (sqlite3_step(table) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(table, 0);

		if (!table_doc_find(name))
			fprintf(stderr, "no meaning: table %s\n", name);
		CU_ASSERT_PTR_NOT_NULL(table_doc_find(name));
		sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info(?)", -1, &column, NULL);
		sqlite3_bind_text(column, 1, name, -1, SQLITE_STATIC);
		while (sqlite3_step(column) == SQLITE_ROW) {
			const char *c = (const char *)sqlite3_column_text(column, 0);

			if (!column_doc_find(name, c))
				fprintf(stderr, "no meaning: %s.%s\n", name, c);
			CU_ASSERT_PTR_NOT_NULL(column_doc_find(name, c));
			n++;
		}
		sqlite3_finalize(column);
	}
	sqlite3_finalize(table);
	CU_ASSERT(n > 200);
}

static void every_meaning_is_of_a_table_or_column_that_exists(void)
{
	for (const struct table_doc *t = table_docs; t->name; t++) {
		CU_ASSERT_EQUAL(
			count("SELECT count(*) FROM sqlite_master WHERE name = ?", t->name, NULL),
			1);
	}
	for (const struct column_doc *c = column_docs; c->name; c++) {
		const char *dot = strchr(c->name, '.');
		char table[64];
		int n;

		snprintf(table, sizeof table, "%.*s", dot ? (int)(dot - c->name) : 1,
			dot ? c->name : "%");
		n = count("SELECT count(*) FROM sqlite_master m, pragma_table_info(m.name) p"
			  " WHERE m.name LIKE ?1 AND p.name = ?2",
			table, dot ? dot + 1 : c->name);
		if (n < 1)
			fprintf(stderr, "no such column: %s\n", c->name);
		CU_ASSERT(n >= 1);
	}
}

static void the_index_has_each_table_once(void)
{
	for (const struct table_doc *t = table_docs; t->name; t++) {
		char name[80];
		int n = 0;

		if (strstr(t->name, "_fields"))
			continue;
		snprintf(name, sizeof name, " %s ", t->name);
		for (const struct table_group *g = table_groups; g->title; g++) {
			char names[1024];

			snprintf(names, sizeof names, "%s ", g->names);
			n += strstr(names, name) != NULL;
		}
		if (n != 1)
			fprintf(stderr, "in the index %d times: %s\n", n, t->name);
		CU_ASSERT_EQUAL(n, 1);
	}
}

static const struct unit_test tests[] = { { "every table and column has a meaning",
						  every_table_and_column_has_a_meaning },
	{ "the index has each table once", the_index_has_each_table_once },
	{ "every meaning is of a table or column that exists",
		every_meaning_is_of_a_table_or_column_that_exists },
	{ NULL, NULL } };

int main(void)
{
	db = tables_open();
	if (!db)
		return 1;
	int failed = unit_main("tables", tests);

	sqlite3_close(db);
	return failed;
}
