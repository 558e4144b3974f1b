/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * facts.h: what a report says, as typed rows.
 *
 *	question --its query--> facts --render_text.c, sentences--> lines and tables
 *	                              --render_data.c--> CSV, JSON
 *
 * A fact is a row of a question's query: numbers, names and places by the names of columns, whose
 * units are in these names (_ns, _bytes, _pct). The query makes no sentence: the question's say
 * functions do.
 */
#ifndef TRYST_REPORT_FACTS_H
#define TRYST_REPORT_FACTS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/base/text.h"
#include "analysis/text/table.h"

struct fact;

enum question_use { FOR_ALL, FOR_TEXT, FOR_DATA };

enum { SAY_LINES = 4, MADE_COLUMNS = 3 };

/* Adds words for a fact, or nothing. */
typedef void say_function(struct text *to, const struct fact *fact);

struct question {
	const char *sql; /* may use :top, and :for_data, 1 for machines and 0 for people */
	enum question_use use;
	/*
	 * Each makes one line of text; lines after the first are indented. A function that adds
	 * nothing makes no line. Without functions text shows a table.
	 */
	say_function *say[SAY_LINES];
	/* Columns behind the query's, which C puts into words. */
	struct {
		const char *name;
		say_function *say;
	} made[MADE_COLUMNS];
	bool is_bars;          /* lines are printed as they are, without wrapping */
	int cell_columns;      /* of bars: the width of each, if over four stand side by side */
	const char *more;      /* how the rest of a ranking is shown; NULL: --top shows them */
	bool is_title;         /* the sentence stands behind the section's title */
	bool is_ranking;       /* ends at :top rows; text says whether there are more */
	const char *data_only; /* columns that text leaves out: "a,b" */
	const char *spare;     /* columns that text leaves out while rows are too wide, in order */
	const char *data;      /* the columns for machines, in order; NULL: the query's */
};

/*
 * The rows of one question. Columns with a meaning for renderers: of_all, how many rows a ranking
 * has in all; continues, 1 where a row's sentence goes on with that of the row before.
 */
struct facts {
	const struct question *question;
	int ncolumns;
	char **name;
	struct table_cell *cell; /* row by row */
	int64_t nrows;
};

struct fact {
	const struct facts *among;
	const struct table_cell *cell; /* ncolumns of them */
};

/*
 * Asks `question`. `top`: rows of a ranking. Returns 0, or a negative errno (-EIO: sqlite3_errmsg()
 * tells why). *facts is to be released in any case.
 */
int facts_ask(sqlite3 *db, const struct question *question, int64_t top, bool for_data,
	struct facts *facts);

void facts_release(struct facts *facts);

/* Has the query this column? */
bool facts_know(const struct facts *facts, const char *column);

struct fact facts_at(const struct facts *facts, int64_t row);

/* Is it the last row of its question? */
bool fact_is_last(const struct fact *fact);

/* The value of a column, which must exist: 0 or NULL where nothing is known. */
int64_t fact_int(const struct fact *fact, const char *column);
double fact_real(const struct fact *fact, const char *column);
const char *fact_text(const struct fact *fact, const char *column);

/* Is anything known? Is it this name? */
bool fact_has(const struct fact *fact, const char *column);
bool fact_is(const struct fact *fact, const char *column, const char *name);

/* Is `name` among the names of "a,b"? NULL has none. */
bool list_has(const char *list, const char *name);

/* Executes texts of SQL, ended by NULL, one after the other: they make tables. 0, or a negative
 * errno. */
int facts_make(sqlite3 *db, const char *const *sql);

#endif
