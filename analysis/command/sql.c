/* SPDX-License-Identifier: BSD-3-Clause */
/* sql.c: `tryst sql`: queries over all ranks of a run. */
#include <config.h>

#include "analysis/command/dataset_options.h"
#include "analysis/base/text.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/dataset/analyzed.h"
#include "analysis/dataset/dataset.h"
#include "analysis/doctor/program.h"
#include "analysis/match/match.h"
#include "analysis/recipes/recipes.h"
#include "analysis/report/report.h"
#include "analysis/text/sql_functions.h"
#include "analysis/text/table.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/format/db/db.h"
#include "analysis/format/links/links.h"

extern char **environ;

struct sql_options {
	int format;
	const char *db;
	const char *recipe;
	bool ended, report, one_side;
	int64_t top;
};

enum { SQL_TABLE, SQL_CSV, SQL_JSON, SQL_SPREADSHEET };

static const struct option options[] = { { .name = "format",
						 .letter = 'f',
						 .type = OPT_CHOICE,
						 .argument = "table|" TABLE_FORMATS,
						 .initial = "table",
						 .at = offsetof(struct sql_options, format),
						 .help = "how rows are printed" },
	DATASET_OPTIONS(struct sql_options),
	{ .name = "report",
		.type = OPT_FLAG,
		.at = offsetof(struct sql_options, report),
		.help = "make the working tables of tryst report as well" },
	{ .name = "one-side",
		.type = OPT_FLAG,
		.at = offsetof(struct sql_options, one_side),
		.help = "with --report: as one side of the messages knows them" },
	{ .name = "recipe",
		.type = OPT_TEXT,
		.argument = "NAME",
		.at = offsetof(struct sql_options, recipe),
		.help = "run this query of the cookbook; 'list' lists them" },
	{ .name = "top",
		.letter = 'n',
		.type = OPT_WHOLE,
		.argument = "N",
		.initial = "20",
		.lowest = 1,
		.highest = 1000000,
		.at = offsetof(struct sql_options, top),
		.help = "value of :top in QUERY" },
	{ 0 } };

/* Prints SQLite's reason. If a name does not exist, also tells where names are listed. */
static int say_sql(sqlite3 *db)
{
	const char *reason = sqlite3_errmsg(db);

	return say_error("%s%s", reason,
		strncmp(reason, "no such ", 8) == 0 ?
			" ('man 5 tryst-tables' lists what there is)" :
			strcmp(reason, "not authorized") == 0 ?
			" (the database is opened for reading: no ATTACH, no VACUUM INTO)" :
			"");
}

/* A run and the user's queries of it. */
struct session {
	struct dataset *data;
	const struct sql_options *o;
	struct db_tables_read exact; /* tables of an analysis */
};

/* Without an analysis exact results are empty, which looks like no waits. */
static void analyze_for_queries(const struct session *q)
{
	const struct dataset *data = q->data;

	if (q->o->one_side || data->empty || !db_has_table(data->db, "match_info"))
		return;
	analyze_dataset(data, &say_stderr);
	if (!data->dir && db_has_rows(data->db, "match_info") == 0)
		say_note("messages were not matched yet, so exact results are empty: name the "
			 "directory of the run");
}

/* Executes all statements of `sql`, printing the rows of each, and counts them. An exit code. */
static int execute(struct session *q, const char *sql, int *nstatements)
{
	static const enum table_format formats[] = { TABLE_PLAIN, TABLE_CSV, TABLE_JSON,
		TABLE_SPREADSHEET };
	sqlite3 *db = q->data->db;

	*nstatements = 0;
	if (sql && sql[strspn(sql, " \t\r\n;")] == '.') {
		say_error("commands with a dot belong to the sqlite3 shell, which 'tryst sql' "
			  "without QUERY starts on a terminal; 'SELECT name FROM sqlite_master' "
			  "lists tables and views");
		return CMD_USAGE;
	}
	while (sql && sql[strspn(sql, " \t\r\n;")]) {
		sqlite3_stmt *stmt;

		q->exact.any = false;
		if (db_prepare_first(db, &sql, &stmt) != 0)
			return say_sql(db);
		if (!stmt)
			continue;
		++*nstatements;
		if (q->exact.any)
			analyze_for_queries(q);
		sqlite3_bind_int64(stmt, sqlite3_bind_parameter_index(stmt, ":top"), q->o->top);
		if (sqlite3_column_count(stmt) == 0)
			db_step(stmt);
		else if (table_print(stdout, stmt, formats[q->o->format], 0, NULL) >= 0 &&
			q->o->format == SQL_JSON)
			putchar('\n');
		if (db_finalize(stmt) != 0)
			return say_sql(db);
	}
	return CMD_OK;
}

/* The shell of SQLite on the same file. It waits, so that a temporary database can be removed. */
static int run_shell(const char *shell, const char *path)
{
	const char *argv[] = { shell, "-readonly", "-header", "-column", path, NULL };
	int status = 0;
	pid_t pid;

	signal(SIGINT, SIG_IGN);
	fflush(NULL);
	if (posix_spawn(&pid, shell, NULL, NULL, (char *const *)argv, environ) != 0)
		return say_error("cannot run '%s': %s", shell, strerror(errno));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : CMD_FAILED;
}

/* Statements from standard input, each when its semicolon has come. */
static int read_statements(struct session *q)
{
	struct text all = { 0 };
	char *line = NULL;
	size_t size = 0;
	bool asks = isatty(STDIN_FILENO);
	int rc = CMD_OK, nstatements;

	if (asks)
		fputs("sql> ", stderr);
	while (getline(&line, &size, stdin) > 0) {
		text_add(&all, line);
		if (all.failed) {
			rc = say_error("out of memory");
			break;
		}
		/* a command with a dot ends with its line */
		if (sqlite3_complete(all.at) || *all.at == '.') {
			rc = execute(q, all.at, &nstatements);
			fflush(stdout);
			all.length = 0;
			if (rc && !asks)
				break;
		}
		if (asks)
			fputs(all.length ? "...> " : "sql> ", stderr);
	}
	if (all.length && (rc == CMD_OK || asks))
		rc = execute(q, all.at, &nstatements);
	text_release(&all);
	free(line);
	return rc;
}

/* Makes the working tables of tryst report. Returns 0 or a negative errno. */
static int make_report_tables(struct dataset *data, const struct sql_options *o)
{
	bool analyzed;

	if (!o->one_side)
		analyze_dataset(data, &say_stderr);
	return report_prepare(data->db, o->one_side, &analyzed);
}

static int answer(struct dataset *data, const struct sql_options *o, const char *query)
{
	struct session q = { data, o, { .is_one = match_fills } };
	char shell[PATH_MAX];
	int rc, nstatements;

	if (sql_functions_add(data->db) != 0 || (o->report && make_report_tables(data, o) != 0))
		return say_error("%s", sqlite3_errmsg(data->db));
	db_refuse_attach(data->db, &q.exact);
	if (query) {
		rc = execute(&q, query, &nstatements);
		if (rc || nstatements)
			return rc;
		say_error("QUERY is empty: 'SELECT * FROM wait_by_cause' is one, without any there "
			  "is a shell; tryst-tables(5) has the names");
		return CMD_USAGE;
	}
	/* a shell would not see the working tables */
	if (data->path && !o->report && o->format == SQL_TABLE && isatty(STDIN_FILENO) &&
		program_find("sqlite3", shell, sizeof shell) == 0) {
		analyze_for_queries(&q);
		return run_shell(shell, data->path);
	}
	return read_statements(&q);
}

/* Opens a file of tryst calibrate, which is a database, too. A negative errno: it is no such file.
 */
static int open_links(const char *path, struct dataset *data)
{
	*data = (struct dataset){ .path = strdup(path) };
	if (data->path && links_open(path, &data->db, NULL) == 0)
		return 0;
	dataset_close(data);
	return -EINVAL;
}

static int list_recipes(void)
{
	for (const struct recipe *r = recipes; r->name; r++)
		printf("%-20s %s\n", r->name, r->question);
	return CMD_OK;
}

/* The query of --recipe, or the operand. */
static int find_query(const struct sql_options *o, int argc, char **argv, const char **query)
{
	const struct recipe *recipe = o->recipe ? recipe_find(o->recipe) : NULL;

	*query = recipe ? recipe->sql : argc > 1 ? argv[1] : NULL;
	if (o->recipe && !recipe)
		say_error("no recipe '%s': --recipe list lists them", o->recipe);
	else if (recipe && argc > 1)
		say_error("--recipe and QUERY exclude each other");
	else if (argc < 1)
		say_error("which run? tryst sql needs a directory or a database");
	else
		return CMD_OK;
	return CMD_USAGE;
}

static int run_sql(const void *options_read, int argc, char **argv)
{
	const struct sql_options *o = options_read;
	const struct dataset_options how = { .db = o->db, .ended = o->ended };
	struct dataset data;
	const char *query;
	int rc;

	if (o->recipe && strcmp(o->recipe, "list") == 0)
		return list_recipes();
	rc = find_query(o, argc, argv, &query);
	if (rc != CMD_OK)
		return rc;
	if (open_links(argv[0], &data) != 0 && dataset_open(argv[0], &how, &say_stderr, &data) != 0)
		return CMD_FAILED;
	rc = answer(&data, o, query);
	dataset_close(&data);
	return rc;
}

const struct subcommand cmd_sql = {
	.name = "sql",
	.summary = "query the records of a run in SQL",
	.arguments = "DIR|FILE [QUERY]",
	.description =
		"Executes QUERY over all ranks of the run in DIR and prints the rows. FILE may be "
		"any one database, also a file of tryst calibrate. Without QUERY it starts the "
		"sqlite3 shell on the database (.tables, .schema) if standard input is a terminal "
		"and sqlite3 is installed. Otherwise it reads statements from standard input. The "
		"database is opened for reading; ATTACH and VACUUM INTO are refused.\n\n"
		"tryst-tables(5) describes tables and views. Losses are printed on standard error "
		"before the rows. If needed, ranks are first collected and merged into "
		"DIR/run.db. This also finds functions, files and lines, if the binaries are "
		"there. In the ranks' own files they are NULL until tryst collect. A query that "
		"reads exact results (exact_*, match, blame, ...) and the shell have DIR analyzed "
		"first, unless that was done.\n\n"
		"--recipe NAME runs a query of the cookbook in tryst-tables(5), for example "
		"waits_by_line or calls_of_rank. --recipe list lists all with their questions. "
		"-n limits the rows of a recipe.\n\n"
		"With --report, QUERY may also read the tables that tryst report makes for its "
		"own questions. The files in analysis/report/queries of the source then work as "
		"they are: tryst sql --report DIR <FILE.sql. The heads of these files describe "
		"their tables; 'SELECT name FROM sqlite_temp_master' lists them. These tables may "
		"change between versions.\n\n" CMD_FORMATS "\n\n"
		"The sqlite3 shell prints names by its own rules.",
	.examples =
#include "analysis/command/sql_examples.h"
		,
	.see_also = "tryst-report(1), tryst-tables(5), sqlite3(1)",
	.options = options,
	.options_size = sizeof(struct sql_options),
	.min_operands = 0,
	.max_operands = 2,
	.run = run_sql,
};
