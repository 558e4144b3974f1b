/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.c: a view in a foreign file may run without an end, read any table, or put any text into a
 * report. So an object is used only if its row in sqlite_schema is to the letter the one that our
 * own text makes. To get that row, our text is executed once in a database in memory.
 *
 * Objects that we do not know are left alone as long as they cannot act: tables, which nothing
 * reads, and indexes on columns. Triggers, views, virtual tables and indexes that call functions
 * are refused.
 */
#include <config.h>

#include "analysis/format/db/layout.h"
#include "analysis/base/array.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TYPE, NAME, TABLE_NAME, SQL, TEXTS }; /* columns of sqlite_schema */

struct object {
	char *text[TEXTS];
	bool optional;
};

struct objects {
	const struct db_layout *layout;
	struct object *object;
	size_t n;
	uint32_t room;
	struct objects *next;
};

/* The objects of each layout that was asked for, kept until the process ends. */
static struct objects *known;
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;

static const char columns_sql[] = "SELECT type, name, tbl_name, sql FROM \"%w\".sqlite_schema";

static const char *column(sqlite3_stmt *s, int i)
{
	const char *text = (const char *)sqlite3_column_text(s, i);

	return text ? text : "";
}

static void free_objects(struct objects *o)
{
	for (size_t i = 0; o && i < o->n; i++)
		for (int k = 0; k < TEXTS; k++)
			free(o->object[i].text[k]);
	if (o)
		free(o->object);
	free(o);
}

static sqlite3_stmt *list_objects(sqlite3 *db, const char *name)
{
	char *sql = sqlite3_mprintf(columns_sql, name);
	sqlite3_stmt *s = NULL;

	if (sql && sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		s = NULL;
	sqlite3_free(sql);
	return s;
}

/* Appends the objects of `db` that `o` lacks. */
static int take_objects(struct objects *o, sqlite3 *db, bool optional)
{
	sqlite3_stmt *s = list_objects(db, "main");
	size_t i = 0;
	int rc = s ? 0 : -ENOMEM;

	while (rc == 0 && sqlite3_step(s) == SQLITE_ROW) {
		struct object *more;

		if (i++ < o->n)
			continue;
		rc = array_room(&o->object, sizeof(*more), &o->room, o->n);
		if (rc)
			break;
		more = &o->object[o->n++];
		more->optional = optional;
		for (int k = 0; k < TEXTS; k++)
			if (!(more->text[k] = strdup(column(s, k))))
				rc = -ENOMEM;
	}
	return sqlite3_finalize(s) == SQLITE_OK ? rc : -ENOMEM;
}

static struct objects *make_objects(const struct db_layout *layout)
{
	struct objects *o = calloc(1, sizeof(*o));
	sqlite3 *db = NULL;
	int rc = -ENOMEM;

	if (o && sqlite3_open(":memory:", &db) == SQLITE_OK &&
		sqlite3_exec(db, layout->schema, NULL, NULL, NULL) == SQLITE_OK)
		rc = take_objects(o, db, false);
	for (int i = 0; rc == 0 && i < LAYOUT_OPTIONAL && layout->optional[i]; i++)
		rc = sqlite3_exec(db, layout->optional[i], NULL, NULL, NULL) == SQLITE_OK ?
			take_objects(o, db, true) :
			-ENOMEM;
	sqlite3_close(db);
	if (rc == 0) {
		o->layout = layout;
		return o;
	}
	free_objects(o);
	return NULL;
}

static const struct objects *objects_of(const struct db_layout *layout)
{
	struct objects *o;

	pthread_mutex_lock(&known_lock);
	for (o = known; o && o->layout != layout; o = o->next)
		continue;
	if (!o && (o = make_objects(layout))) {
		o->next = known;
		known = o;
	}
	pthread_mutex_unlock(&known_lock);
	return o;
}

/*
 * Finds an object by name, in any case, as SQLite does. Files mostly have the order of our text, so
 * the object `guess` is tried first.
 */
static const struct object *find_object(const struct objects *o, const char *name, size_t guess)
{
	if (guess < o->n && strcasecmp(o->object[guess].text[NAME], name) == 0)
		return &o->object[guess];
	for (size_t i = 0; i < o->n; i++)
		if (strcasecmp(o->object[i].text[NAME], name) == 0)
			return &o->object[i];
	return NULL;
}

static bool is_same(const struct object *o, sqlite3_stmt *s)
{
	for (int k = 0; k < TEXTS; k++)
		if (strcmp(o->text[k], column(s, k)) != 0)
			return false;
	return true;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/*
 * True if an object that is not ours cannot act: a table as SQLite writes it down, or an index that
 * calls no function.
 */
static bool is_inert(sqlite3_stmt *s)
{
	const char *type = column(s, TYPE), *sql = column(s, SQL), *bracket = strchr(sql, '(');

	if (strcmp(type, "table") == 0)
		return begins(sql, "CREATE TABLE ");
	return strcmp(type, "index") == 0 &&
		(!*sql || begins(sql, "CREATE INDEX ") || begins(sql, "CREATE UNIQUE INDEX ")) &&
		(!bracket || !strchr(bracket + 1, '('));
}

static int describe(char *what, size_t size, const char *type, const char *name, const char *how)
{
	snprintf(what, size, "%s '%.80s' %s", type, name, how);
	return -EINVAL;
}

/* Checks that each row is ours as we make it, or inert. seen[]: which of ours were found. */
static int check_rows(const struct objects *o, sqlite3_stmt *s, bool *seen, char *what, size_t size)
{
	size_t at = 0;

	while (sqlite3_step(s) == SQLITE_ROW) {
		const struct object *ours = find_object(o, column(s, NAME), at);

		if (ours && is_same(ours, s)) {
			at = (size_t)(ours - o->object) + 1;
			seen[at - 1] = true;
		} else if (ours) {
			return describe(what, size, ours->text[TYPE], ours->text[NAME], "differs");
		} else if (!is_inert(s)) {
			return describe(
				what, size, column(s, TYPE), column(s, NAME), "is none of tryst's");
		}
	}
	return 0;
}

int db_layout_check(
	sqlite3 *db, const char *name, const struct db_layout *layout, char *what, size_t size)
{
	const struct objects *o = objects_of(layout);
	bool *seen = o ? calloc(o->n + 1, sizeof(*seen)) : NULL;
	sqlite3_stmt *s = seen ? list_objects(db, name) : NULL;
	int rc = !seen ? -ENOMEM : -EINVAL;

	*what = '\0';
	if (s)
		rc = check_rows(o, s, seen, what, size);
	if (sqlite3_finalize(s) != SQLITE_OK || (seen && !s))
		rc = -EIO;
	for (size_t i = 0; rc == 0 && i < o->n; i++)
		if (!seen[i] && !o->object[i].optional)
			rc = describe(what, size, o->object[i].text[TYPE], o->object[i].text[NAME],
				"is missing");
	free(seen);
	return rc;
}

bool db_layout_has_table(sqlite3 *db, const struct db_layout *layout, const char *table)
{
	const struct objects *o = objects_of(layout);
	const struct object *ours = o ? find_object(o, table, 0) : NULL;
	sqlite3_stmt *s = ours ? list_objects(db, "main") : NULL;
	bool has = false, other = false;

	while (s && sqlite3_step(s) == SQLITE_ROW) {
		bool same = is_same(ours, s);

		has |= same;
		other |= !same &&
			(strcasecmp(column(s, NAME), table) == 0 ||
				strcasestr(column(s, SQL), "virtual"));
	}
	return sqlite3_finalize(s) == SQLITE_OK && has && !other;
}
