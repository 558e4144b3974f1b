/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c: the rows of queries, kept. */
#include <config.h>

#include "analysis/report/facts.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"

static int take_names(struct facts *facts, sqlite3_stmt *stmt)
{
	int n = sqlite3_column_count(stmt), made = 0;

	while (made < MADE_COLUMNS && facts->question->made[made].name)
		made++;
	facts->name = calloc((size_t)(n + made) + 1, sizeof *facts->name);
	for (int i = 0; facts->name && i < n + made; i++) {
		const char *name =
			i < n ? sqlite3_column_name(stmt, i) : facts->question->made[i - n].name;

		facts->name[i] = name ? strdup(name) : NULL;
		if (!facts->name[i])
			return -ENOMEM;
		facts->ncolumns++;
	}
	return facts->name ? 0 : -ENOMEM;
}

static int take_cell(struct table_cell *cell, sqlite3_stmt *stmt, int i)
{
	const char *text;
	char *copy;

	table_cell_read(stmt, i, cell);
	if (cell->type != CELL_TEXT && cell->type != CELL_BLOB)
		return 0;
	text = cell->text;
	cell->text = copy = malloc(cell->bytes + 1);
	if (!copy || (!text && cell->bytes > 0))
		return -ENOMEM;
	if (text)
		memcpy(copy, text, cell->bytes);
	copy[cell->bytes] = '\0';
	return 0;
}

/* Words for the row that was read last; NULL where there are none. */
static int make_cell(struct facts *facts, say_function *say, struct table_cell *cell)
{
	struct fact fact = facts_at(facts, facts->nrows - 1);
	struct text text = { 0 };

	say(&text, &fact);
	if (text.length > 0)
		*cell = (struct table_cell){
			.type = CELL_TEXT, .text = text.at, .bytes = text.length
		};
	else
		text_release(&text);
	return text.failed ? -ENOMEM : 0;
}

static int take_row(struct facts *facts, sqlite3_stmt *stmt, int64_t *room)
{
	size_t n = (size_t)facts->ncolumns, at = n * (size_t)facts->nrows;
	size_t asked = (size_t)sqlite3_column_count(stmt);

	if (facts->nrows == *room) {
		int64_t more = *room ? 2 * *room : 8;
		struct table_cell *cell = realloc(facts->cell, n * (size_t)more * sizeof *cell);

		if (!cell)
			return -ENOMEM;
		facts->cell = cell;
		*room = more;
	}
	memset(facts->cell + at, 0, n * sizeof *facts->cell);
	facts->nrows++;
	for (size_t i = 0; i < n; i++) {
		struct table_cell *cell = facts->cell + at + i;
		int rc = i < asked ? take_cell(cell, stmt, (int)i) :
				     make_cell(facts, facts->question->made[i - asked].say, cell);

		if (rc)
			return rc;
	}
	return 0;
}

int facts_ask(sqlite3 *db, const struct question *question, int64_t top, bool for_data,
	struct facts *facts)
{
	sqlite3_stmt *stmt;
	int64_t room = 0;
	int rc, step = 0;

	*facts = (struct facts){ .question = question };
	if (db_prepare(db, question->sql, &stmt) != 0)
		return -EIO;
	sqlite3_bind_int64(stmt, sqlite3_bind_parameter_index(stmt, ":top"), top);
	sqlite3_bind_int(stmt, sqlite3_bind_parameter_index(stmt, ":for_data"), for_data);
	rc = take_names(facts, stmt);
	while (rc == 0 && (step = db_step(stmt)) > 0)
		rc = take_row(facts, stmt, &room);
	if (rc == 0 && step)
		rc = -EIO;
	sqlite3_finalize(stmt);
	return rc;
}

void facts_release(struct facts *facts)
{
	for (int64_t i = 0; i < facts->nrows * facts->ncolumns; i++)
		free((char *)facts->cell[i].text);
	for (int i = 0; i < facts->ncolumns; i++)
		free(facts->name[i]);
	free(facts->cell);
	free(facts->name);
	*facts = (struct facts){ 0 };
}

struct fact facts_at(const struct facts *facts, int64_t row)
{
	/* without rows there are no cells */
	return (struct fact){ .among = facts,
		.cell = facts->cell ? facts->cell + row * facts->ncolumns : NULL };
}

/* -1: the query has no such column. */
static int column_of(const struct facts *facts, const char *name)
{
	for (int i = 0; i < facts->ncolumns; i++)
		if (strcmp(facts->name[i], name) == 0)
			return i;
	return -1;
}

bool facts_know(const struct facts *facts, const char *column)
{
	return column_of(facts, column) >= 0;
}

static const struct table_cell *cell_of(const struct fact *fact, const char *column)
{
	static const struct table_cell none = { .type = CELL_NULL };
	int i = column_of(fact->among, column);

	assert(i >= 0 && "the query has such a column");
	return i < 0 ? &none : &fact->cell[i];
}

bool fact_is_last(const struct fact *fact)
{
	const struct facts *all = fact->among;

	return fact->cell == all->cell + (all->nrows - 1) * all->ncolumns;
}

int64_t fact_int(const struct fact *fact, const char *column)
{
	return cell_of(fact, column)->integer;
}

double fact_real(const struct fact *fact, const char *column)
{
	return cell_of(fact, column)->real;
}

const char *fact_text(const struct fact *fact, const char *column)
{
	const struct table_cell *cell = cell_of(fact, column);

	return cell->type == CELL_TEXT ? cell->text : NULL;
}

bool fact_has(const struct fact *fact, const char *column)
{
	return cell_of(fact, column)->type != CELL_NULL;
}

bool fact_is(const struct fact *fact, const char *column, const char *name)
{
	const char *text = fact_text(fact, column);

	return text && strcmp(text, name) == 0;
}

bool list_has(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *p = list ? list : ""; *p; p += strcspn(p, ","), p += *p == ',')
		if (strncmp(p, name, length) == 0 && (p[length] == ',' || p[length] == '\0'))
			return true;
	return false;
}

int facts_make(sqlite3 *db, const char *const *sql)
{
	int rc = 0;

	for (; *sql && !rc; sql++)
		rc = db_exec_quiet(db, *sql);
	return rc;
}
