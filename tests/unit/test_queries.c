/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_queries.c: each named query answers its question on rows made by hand.
 *
 * tests/queries/FOLDER/NAME.sql has the cases of analysis/FOLDER/queries/NAME.sql: SQL that makes
 * rows, and comments that say the rest.
 *
 *	-- case: a sentence
 *	-- on: report | one side | two runs | compared | scaling | schema
 *	INSERT INTO ...;
 *	-- then:
 *	SQL that is executed after the preparation; the query follows it.
 *	-- top: 5
 *	-- for: data
 *	-- bind: text|of|parameters
 *	-- ask: SELECT ...
 *	-- rows:
 *	-- name|of|columns
 *	-- 1|text|-
 *
 * on: what the query finds. report: all that report_prepare() makes; one side: the same where only
 * one side of messages is known; two runs: the empty tables of tryst diff; compared: these after
 * diff_compare(); scaling: these after scaling_study(); schema: the tables of schema.sql. A folder
 * has its own default. A query that makes tables is run by the preparation, where that is its use,
 * and "ask" reads what it has made. The lines top and bind give the values of :top and ?1. for:
 * data makes :for_data 1, else it is 0. NULL is -. After "-- rows: values", names of columns are
 * left out.
 *
 * pack('op_code', 'call=MPI_Send kind=send first') makes a packed integer; include/layouts.def has
 * its fields and their words. call('MPI_Send') is its number.
 * Rows of new_NAME_cell have 0 in all columns of NAME_cell that they do not set.
 */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/text.h"
#include "analysis/blame/queries.h"
#include "analysis/command/queries.h"
#include "analysis/dataset/queries.h"
#include "analysis/dataset/started.h"
#include "analysis/diff/diff.h"
#include "analysis/diff/queries.h"
#include "analysis/diff/scaling.h"
#include "analysis/export/queries.h"
#include "analysis/format/db/db.h"
#include "analysis/format/db/ranges.h"
#include "analysis/format/rows/queries.h"
#include "analysis/html/queries.h"
#include "analysis/match/queries.h"
#include "analysis/merge/queries.h"
#include "analysis/modelling/queries.h"
#include "analysis/pack/queries.h"
#include "analysis/ranks/queries.h"
#include "analysis/recipes/queries.h"
#include "analysis/replay/queries.h"
#include "analysis/report/queries.h"
#include "analysis/report/report.h"
#include "analysis/text/sql_functions.h"
#include "analysis/tune/queries.h"
#include "analysis/worth/queries.h"
#include "functions.h"
#include "layouts.h"
#include "tests/unit/unit.h"

static const struct query {
	const char *name; /* FOLDER/NAME */
	const char *sql;
} queries[] = {
#include "tests/unit/query_list.h"
	{ NULL, NULL }
};

static const struct packed_field {
	const char *layout, *field;
	int at;
	int64_t mask;
} packed_fields[] = {
#include "tests/unit/packed_fields.h"
};

static const struct packed_word {
	const char *field, *word;
	int64_t number;
} packed_words[] = {
#include "tests/unit/packed_words.h"
};

enum { CASES_MAX = 1024 };

static struct query_case {
	const struct query *query;
	char on[16];
	struct text name, rows, then, bind, ask, expected;
	int64_t top;
	bool has_then, values_only, for_data;
} cases[CASES_MAX];
static size_t ncases;

/* Cases: read. */

static const char *tests_dir(void)
{
	const char *source = getenv("TEST_SRC");

	return source ? source : ".";
}

/* The rest of a line that begins with `word`, or NULL. */
static const char *behind(const char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) == 0 ? line + length : NULL;
}

static struct query_case *case_new(const struct query *query, const char *sentence)
{
	struct query_case *c = &cases[ncases++];

	if (ncases == CASES_MAX)
		abort();
	c->query = query;
	c->top = 100;
	text_addf(&c->name, "%s: %s", query->name, sentence);
	snprintf(c->on, sizeof c->on, "%s",
		behind(query->name, "report/") || behind(query->name, "worth/") ? "report" :
			behind(query->name, "diff/")                            ? "compared" :
										  "schema");
	return c;
}

/* A line that says something of the case. False: it is SQL, or a comment. */
static bool read_directive(struct query_case *c, const char *line, struct text **to)
{
	const char *rest;

	if ((rest = behind(line, "-- on: ")))
		snprintf(c->on, sizeof c->on, "%.15s", rest);
	else if ((rest = behind(line, "-- top: ")))
		c->top = strtoll(rest, NULL, 10);
	else if (behind(line, "-- for: data"))
		c->for_data = true;
	else if ((rest = behind(line, "-- bind: ")))
		text_add(&c->bind, rest);
	else if ((rest = behind(line, "-- ask: ")))
		text_addf(&c->ask, "%s ", rest);
	else if (behind(line, "-- rows:"))
		*to = &c->expected;
	else if (behind(line, "-- then:"))
		*to = &c->then;
	else
		return false;
	c->has_then |= *to == &c->then;
	c->values_only |= strcmp(line, "-- rows: values") == 0;
	return true;
}

static void read_cases(FILE *file, const struct query *query)
{
	struct query_case *c = NULL;
	struct text *to = NULL;
	char line[4096];

	while (fgets(line, sizeof line, file)) {
		const char *rest;

		line[strcspn(line, "\n")] = '\0';
		if ((rest = behind(line, "-- case: "))) {
			c = case_new(query, rest);
			to = &c->rows;
		} else if (c && !read_directive(c, line, &to)) {
			rest = to == &c->expected ? behind(line, "-- ") : line;
			if (rest)
				text_addf(to, "%s\n", rest);
		}
	}
}

static FILE *open_cases(const char *name)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/tests/queries/%s.sql", tests_dir(), name);
	return fopen(path, "r");
}

/* The database of a case. */

/* Are the values of `field` those of `words`: is it "cause", or "own_cause" for "cause"? */
static bool has_words(const char *field, const char *words)
{
	const char *end = field + strlen(field) - strlen(words);

	return end >= field && strcmp(end, words) == 0 && (end == field || end[-1] == '_');
}

/* The number that a word stands for; -1: none. */
static int64_t number_of(const char *field, const char *word)
{
	if (*word >= '0' && *word <= '9')
		return strtoll(word, NULL, 10);
	if (has_words(field, "call"))
		return function_by_name(word) ? (int64_t)function_by_name(word) : -1;
	for (size_t i = 0; i < sizeof packed_words / sizeof *packed_words; i++)
		if (has_words(field, packed_words[i].field) &&
			strcmp(packed_words[i].word, word) == 0)
			return packed_words[i].number;
	return -1;
}

static bool put_field(const char *layout, char *word, uint64_t *packed)
{
	char *value = strchr(word, '=');
	int64_t number = 1;

	if (value) {
		*value++ = '\0';
		number = number_of(word, value);
	}
	for (size_t i = 0; i < sizeof packed_fields / sizeof *packed_fields; i++) {
		const struct packed_field *f = &packed_fields[i];

		if (strcmp(f->layout, layout) != 0 || strcmp(f->field, word) != 0)
			continue;
		*packed |= (uint64_t)(number & f->mask) << f->at;
		return number >= 0 && (number & f->mask) == number;
	}
	return false;
}

static void pack(sqlite3_context *context, int n, sqlite3_value **value)
{
	const char *layout = (const char *)sqlite3_value_text(value[0]);
	const char *text = (const char *)sqlite3_value_text(value[1]);
	char words[256], wrong[320], *save, *word;
	uint64_t packed = 0;

	(void)n;
	snprintf(words, sizeof words, "%s", text ? text : "");
	for (word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		snprintf(wrong, sizeof wrong, "pack: '%s' is no field of '%s'", word, layout);
		if (put_field(layout, word, &packed))
			continue;
		sqlite3_result_error(context, wrong, -1);
		return;
	}
	sqlite3_result_int64(context, (int64_t)packed);
}

static bool execute(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql ? sql : "", NULL, NULL, &why) == SQLITE_OK)
		return true;
	fprintf(stderr, "%s\n", why ? why : "no memory");
	sqlite3_free(why);
	return false;
}

/* Ranges of all values hold for rows made by hand as for those of a run. */
static bool rows_may_be(sqlite3 *db)
{
	struct say_list said;
	bool ok;

	say_list_init(&said);
	ok = db_ranges_hold(db, db_ranges, "ask", "the rows of a case", &said.say) == 0;
	if (!ok)
		fprintf(stderr, "%s\n", say_list_next(&said, NULL));
	return ok;
}

static bool add_names(sqlite3 *db)
{
	bool ok = true;

	for (unsigned i = 1; ok && i < FN_COUNT; i++) {
		char *sql = sqlite3_mprintf(
			"INSERT INTO call_name VALUES (%u, %Q)", i, function_name(i));

		ok = execute(db, sql);
		sqlite3_free(sql);
	}
	return ok;
}

static void call_number(sqlite3_context *context, int n, sqlite3_value **value)
{
	const char *name = (const char *)sqlite3_value_text(value[0]);

	(void)n;
	sqlite3_result_int64(context, function_by_name(name ? name : ""));
}

static bool add_functions(sqlite3 *db)
{
	const int flags = SQLITE_UTF8;

	return sqlite3_create_function(db, "pack", 2, flags, NULL, pack, NULL, NULL) == SQLITE_OK &&
		sqlite3_create_function(db, "call", 1, flags, NULL, call_number, NULL, NULL) ==
		SQLITE_OK;
}

/* The views new_*_cell, whose rows go into the tables. */
static bool add_views(sqlite3 *db)
{
	static const char statements[] =
		"SELECT printf('CREATE TEMP VIEW new_%s AS SELECT * FROM %s; CREATE TEMP TRIGGER"
		" add_%s INSTEAD OF INSERT ON new_%s BEGIN INSERT INTO %s VALUES (%s); END', name,"
		" name, name, name, name, (SELECT group_concat(printf(iif(\"notnull\","
		" 'coalesce(NEW.%s, 0)', 'NEW.%s'), name)) FROM pragma_table_info(m.name)))"
		" FROM sqlite_master m WHERE type = 'table' AND name GLOB '*_cell'";
	sqlite3_stmt *s = NULL;
	bool ok = sqlite3_prepare_v2(db, statements, -1, &s, NULL) == SQLITE_OK;

	while (ok && sqlite3_step(s) == SQLITE_ROW)
		ok = execute(db, (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return ok;
}

static bool prepare_run(sqlite3 *db, const struct query_case *c)
{
	bool one_side = strcmp(c->on, "one side") == 0, analyzed, ok;

	ok = execute(db, db_schema) && execute(db, "BEGIN") && add_names(db) && add_views(db) &&
		add_functions(db) && sql_functions_add(db) == 0;
	if (!ok || strcmp(c->on, "schema") == 0)
		return ok && execute(db, c->rows.at) && rows_may_be(db);
	ok = execute(db, "CREATE TEMP TABLE world (path TEXT)") &&
		started_list(db, NULL, false) == 0 && execute(db, c->rows.at) && rows_may_be(db);
	if (ok &&
		db_int(db, "SELECT count(*) FROM main.sqlite_master WHERE name = 'input'", 0) == 0)
		ok = execute(db, sql_dataset_input);
	if (!ok || report_prepare(db, one_side, &analyzed) != 0) {
		fprintf(stderr, "%s\n", sqlite3_errmsg(db));
		return false;
	}
	return execute(db, "COMMIT");
}

static bool prepare_diff(sqlite3 *db, const struct query_case *c)
{
	if (!add_functions(db) || !execute(db, c->rows.at))
		return false;
	if (strcmp(c->on, "scaling") == 0)
		return scaling_study(db, false) == 0;
	return strcmp(c->on, "two runs") == 0 || diff_compare(db) == SQLITE_OK;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static sqlite3 *database_of(const struct query_case *c)
{
	sqlite3 *db = NULL;
	bool ok;

	if (is_one_of(c->on, "two runs", "compared") || strcmp(c->on, "scaling") == 0) {
		db = diff_open();
		ok = db && prepare_diff(db, c);
	} else {
		ok = sqlite3_open(":memory:", &db) == SQLITE_OK && prepare_run(db, c);
	}
	if (ok && c->has_then)
		ok = execute(db, c->then.at);
	if (ok)
		return db;
	fprintf(stderr, "%s\n", sqlite3_errmsg(db));
	sqlite3_close(db);
	return NULL;
}

/* The answer. */

static void add_value(struct text *to, sqlite3_stmt *s, int i)
{
	switch (sqlite3_column_type(s, i)) {
	case SQLITE_INTEGER:
		text_addf(to, "%" PRId64, (int64_t)sqlite3_column_int64(s, i));
		break;
	case SQLITE_FLOAT:
		text_addf(to, "%.6g", sqlite3_column_double(s, i));
		break;
	case SQLITE_NULL:
		text_add(to, "-");
		break;
	default:
		text_add(to, (const char *)sqlite3_column_text(s, i));
	}
}

/* The parts of the text between bars, as ?1, ?2 and so on. NULL: nothing is bound. */
static void bind_values(sqlite3_stmt *s, const char *text)
{
	for (int i = 1; text; i++) {
		const size_t length = strcspn(text, "|");

		sqlite3_bind_text(s, i, text, (int)length, SQLITE_TRANSIENT);
		text = text[length] ? text + length + 1 : NULL;
	}
}

static bool answer(sqlite3 *db, const char *sql, const struct query_case *c, struct text *got)
{
	sqlite3_stmt *s = NULL;
	int code = sqlite3_prepare_v2(db, sql, -1, &s, NULL), n = sqlite3_column_count(s);

	sqlite3_bind_int64(s, sqlite3_bind_parameter_index(s, ":top"), c->top);
	sqlite3_bind_int(s, sqlite3_bind_parameter_index(s, ":for_data"), c->for_data);
	bind_values(s, c->bind.at);
	for (int i = 0; i < n && !c->values_only; i++)
		text_addf(got, "%s%s", sqlite3_column_name(s, i), i + 1 < n ? "|" : "\n");
	while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
		for (int i = 0; i < n; i++) {
			text_add(got, i ? "|" : "");
			add_value(got, s, i);
		}
		text_add(got, "\n");
		code = SQLITE_OK;
	}
	sqlite3_finalize(s);
	if (code != SQLITE_DONE)
		fprintf(stderr, "%s\n", sqlite3_errmsg(db));
	return code == SQLITE_DONE;
}

static bool only_asks(sqlite3 *db, const struct query *query)
{
	sqlite3_stmt *s = NULL;
	bool reads = sqlite3_prepare_v2(db, query->sql, -1, &s, NULL) == SQLITE_OK &&
		sqlite3_stmt_readonly(s) && sqlite3_column_count(s) > 0;

	sqlite3_finalize(s);
	return reads;
}

static bool ask(sqlite3 *db, const struct query_case *c, struct text *got)
{
	if (only_asks(db, c->query))
		return answer(db, c->query->sql, c, got);
	if ((c->has_then || strcmp(c->on, "schema") == 0) && !execute(db, c->query->sql))
		return false;
	return c->ask.at && answer(db, c->ask.at, c, got);
}

static void run_case(void)
{
	static size_t next;
	const struct query_case *c = &cases[next++];
	struct text got = { 0 };
	sqlite3 *db = database_of(c);

	if (!db || !ask(db, c, &got))
		CU_FAIL("the case cannot be run");
	if (strcmp(got.at ? got.at : "", c->expected.at ? c->expected.at : "") != 0) {
		fprintf(stderr, "\n%s\nexpected:\n%sgot:\n%s", c->name.at,
			c->expected.at ? c->expected.at : "", got.at ? got.at : "");
		CU_FAIL("other rows");
	}
	text_release(&got);
	sqlite3_close(db);
}

static void each_has_a_case(void)
{
	for (const struct query *q = queries; q->name; q++) {
		size_t i = 0;

		while (i < ncases && cases[i].query != q)
			i++;
		if (i < ncases)
			continue;
		fprintf(stderr, "no case: tests/queries/%s.sql\n", q->name);
		CU_FAIL("a query has no case");
	}
}

static void cases_release(void)
{
	for (struct query_case *c = cases; c < cases + ncases; c++) {
		text_release(&c->name);
		text_release(&c->rows);
		text_release(&c->then);
		text_release(&c->bind);
		text_release(&c->ask);
		text_release(&c->expected);
	}
}

int main(void)
{
	struct unit_test *tests;
	int rc;

	for (const struct query *q = queries; q->name; q++) {
		FILE *file = open_cases(q->name);

		if (file) {
			read_cases(file, q);
			fclose(file);
		}
	}
	tests = calloc(ncases + 2, sizeof *tests);
	for (size_t i = 0; i < ncases; i++)
		tests[i] = (struct unit_test){ cases[i].name.at, run_case };
	tests[ncases] = (struct unit_test){ "each query has a case", each_has_a_case };
	rc = unit_main("queries", tests);
	free(tests);
	cases_release();
	return rc;
}
