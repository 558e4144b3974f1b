/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * man.c: manual pages from the tables of subcommands, settings and database tables, as roff.
 */
#include <config.h>

#include "analysis/base/text.h"
#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/merge/queries.h"
#include "analysis/merge/tables_doc.h"
#include "analysis/recipes/recipes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/format/db/db.h"

/* Text in roff: no line may begin with a dot or a quote, a backslash or a minus is escaped. */
static void put_roff(FILE *out, const char *text)
{
	bool line_begins = true;

	for (; *text; text++) {
		if (line_begins && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '-')
			fputs("\\-", out);
		else
			fputc(*text, out);
		line_begins = *text == '\n';
	}
}

static void put_title(FILE *out, const char *name, int section)
{
	fputs(".TH \"", out);
	for (; *name; name++)
		fputc(toupper((unsigned char)*name), out);
	fprintf(out, "\" \"%d\" \"\" \"tryst %s\" \"tryst\"\n", section, PACKAGE_VERSION);
}

static void put_name(FILE *out, const char *name, const char *summary)
{
	fputs(".SH NAME\n", out);
	put_roff(out, name);
	fputs(" \\- ", out);
	put_roff(out, summary);
	fputc('\n', out);
}

/* Paragraphs, separated by empty lines in `text`. */
static void put_paragraphs(FILE *out, const char *text)
{
	while (text && *text) {
		const char *end = strstr(text, "\n\n");
		char *one = end ? strndup(text, (size_t)(end - text)) : strdup(text);

		fputs(".PP\n", out);
		put_roff(out, one ? one : "");
		fputc('\n', out);
		free(one);
		text = end ? end + 2 : NULL;
	}
}

static void put_option(FILE *out, const struct option *o)
{
	const char *name = option_long(o);

	fputs(".TP\n", out);
	if (option_letter(o))
		fprintf(out, "\\fB\\-%c\\fR%s", option_letter(o), name ? ", " : "");
	if (name) {
		fputs("\\fB\\-\\-", out);
		put_roff(out, name);
		fputs("\\fR", out);
	}
	if (o->argument) {
		fputs(" \\fI", out);
		put_roff(out, o->argument);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	put_roff(out, o->help);
	if (o->initial) {
		fputs(" [", out);
		put_roff(out, o->initial);
		fputc(']', out);
	}
	if (o->variable)
		fprintf(out, " (\\fB%s\\fR)", o->variable);
	fputc('\n', out);
}

static void put_examples(FILE *out, const char *p)
{
	fputs(".SH EXAMPLES\n", out);
	while (p && *p) {
		char line[512];
		size_t length = strcspn(p, "\n");
		char *tab;

		snprintf(line, sizeof line, "%.*s", (int)length, p);
		tab = strchr(line, '\t');
		if (tab)
			*tab++ = '\0';
		fputs(".TP\n\\fB", out);
		put_roff(out, line);
		fputs("\\fR\n", out);
		put_roff(out, tab ? tab : "");
		fputc('\n', out);
		p += length + (p[length] == '\n');
	}
}

static void page_subcommand(const struct subcommand *cmd, FILE *out)
{
	char name[64];

	snprintf(name, sizeof name, "tryst-%s", cmd->name);
	put_title(out, name, 1);
	put_name(out, name, cmd->summary);
	fprintf(out, ".SH SYNOPSIS\n\\fBtryst %s\\fR%s ", cmd->name,
		cmd->options ? " [\\fIoptions\\fR]" : "");
	put_roff(out, cmd->arguments);
	fputs("\n.SH DESCRIPTION\n", out);
	put_paragraphs(out, cmd->description ? cmd->description : cmd->summary);
	if (cmd->options) {
		fputs(".SH OPTIONS\n", out);
		for (const struct option *o = cmd->options; !option_is_end(o); o++)
			if (!o->hidden)
				put_option(out, o);
	}
	if (cmd->examples)
		put_examples(out, cmd->examples);
	fputs(".SH SEE ALSO\n", out);
	put_roff(out, cmd->see_also ? cmd->see_also : "tryst(1)");
	fputc('\n', out);
}

struct variable {
	const char *name, *argument, *initial, *help;
};

static const struct variable variables[] = {
#define SETTING(field, variable, option, argument, type, initial, lowest, highest, help)           \
	{ variable, argument, initial, help },
#include "settings.def"
#undef SETTING
};

static void put_variables(FILE *out)
{
	fputs(".SH ENVIRONMENT\n", out);
	put_roff(out,
		"The library reads these variables; tryst run sets them from its options. It warns "
		"of an unknown variable that begins with TRYST_.\n");
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const struct variable *v = &variables[i];

		fprintf(out, ".TP\n\\fB%s\\fR=\\fI", v->name);
		put_roff(out, v->argument);
		fputs("\\fR\n", out);
		put_roff(out, v->help);
		if (v->initial) {
			fputs(" [", out);
			put_roff(out, v->initial);
			fputc(']', out);
		}
		fputc('\n', out);
	}
}

static const char *const files[][2] = {
	{ "DIR/rank-NNNNNN.db", "one rank's records, SQLite; tryst-tables(5) describes it" },
	{ "DIR/rank-NNNNNN.ring, .spool",
		"the records of a rank that runs or was killed; tryst collect reads them" },
	{ "DIR/run.db", "all ranks, made by tryst merge" },
	{ "DIR/ranks-NNNNNN/", "files of a thousand ranks, in runs of more than 1024 ranks" },
	{ "DIR/world-N/", "the same for processes that were spawned by MPI" },
	{ "DIR/tryst.run", "the run's id: a directory that has it belongs to that run" },
	{ "DIR.started/", "marks of processes that have not reached MPI_Init" },
	{ "~/.cache/tryst/", "measured link parameters" },
};

static const char security[] =
	"The directory of a run may come from anyone. tryst trusts neither its values nor its "
	"databases, their journals and link parameters. Reading them changes no file outside "
	"the directory, and one line names each obstacle. A database is read only if each of "
	"tryst's tables and views has exactly the text that this version writes. Tables and "
	"indexes on columns that somebody added are ignored. Triggers, views, virtual tables "
	"and indexes that call functions are refused, and so are databases in WAL mode, pipes "
	"and symbolic links. If a rank's file is refused, tryst merge still uses its intact "
	"tables.\n\n"
	"A journal beside a database is rolled back, as after a killed writer. A journal is "
	"refused if it names another file, is no regular file, or has a second name. A "
	"database with several names (hard links) is not written.\n\n"
	"Cached link parameters are used only if their file and its directory belong to the "
	"user or root, and nobody else may write them. tryst makes the directory with the "
	"mode 0700 and files with 0600. If a cache is refused, the job prints one line and "
	"measures link parameters as without a cache.\n\n"
	"Values are checked when they are read. A rank's file with an impossible value, or with "
	"rows of another rank, is left out, and a line says why. Names that a program chose are "
	"printed without control characters.\n\n"
	"Marks in DIR/started and DIR.started are read as text, from regular files in real "
	"directories. tryst never runs a program that a mark names, nor loads a module that a run "
	"names. It only reads these files, if they are regular, to find functions and lines. A run "
	"from a stranger can therefore make tryst read any binary that the user may read, and show "
	"names of its functions. tryst looks for a debug file beside the binary, in the .debug "
	"directory there, and by its build ID. If DEBUGINFOD_URLS is set, libdw may ask these "
	"servers for it. libdw itself opens files that debug data names (.gnu_debugaltlink, .dwo); "
	"tryst does not check them.\n\n"
	"tryst trusts the user's own SQL, the programs and libraries that the environment names, "
	"and those directories of the user that nobody else may write. A table that was damaged on "
	"purpose can keep a report busy for long; the user can interrupt the report.\n";

static const char limits[] =
	"All ranks of a job must load the library, or none, because it communicates with all of "
	"them in MPI_Init. A rank that waits there for others prints a line after 5 seconds.\n\n"
	"Preloading does not reach a program that is statically linked to MPI, opens MPI with "
	"dlmopen(), takes MPI functions by dlsym() from the library's own handle, or runs "
	"setuid.\n\n"
	"A rank keeps one row a message, up to TRYST_MAX_OPS rows. Later messages are in the "
	"profiles only. Profiles are always complete, and the report says how many rows are "
	"missing.\n\n"
	"One rank's database, and SQL over it, has the waits that one side of a message can know. "
	"tryst report and tryst analyze use both sides. One side cannot see lateness below the "
	"noise of the message's size class.\n\n"
	"Link parameters are those of the first pair of ranks of each kind of link. If a machine "
	"is too busy to measure them, predictions use a cached set, marked as unconfirmed. Without "
	"such a set, messages have no prediction, and the report says so.\n\n"
	"Collective, one-sided and file operations are timed. No model predicts them.\n\n"
	"A callsite is a place in machine code. In Python it is the extension module that calls "
	"MPI, never the Python line. The main program in Fortran is called MAIN__. Code that was "
	"compiled without -g has a function or module+offset, and no line.\n\n"
	"The time of MPI_Pready is not recorded. A wait for partitions counts as late_sender for "
	"the time in which the sender was outside MPI.\n\n"
	"If a program uses MPI sessions without MPI_Init, recording begins with its first "
	"communicator of all processes.\n\n"
	"Spawned processes are recorded in DIR/world-1 and so on, and have their own reports. "
	"MPICH does not pass the library on: there, spawned processes are recorded only if they "
	"inherit LD_PRELOAD and TRYST_DIR from the launcher. The query worlds.sql in share/tryst "
	"joins both sides of the messages between two worlds, without exact waits, because each "
	"world counts time from its own MPI_Init.\n\n"
	"Messages to worlds that connected (MPI_Comm_connect, MPI_Comm_join) are recorded on each "
	"side, but no record names the other world. Two worlds at the same port cannot be told "
	"apart. Messages inside a world are matched as usual.\n\n"
	"tryst runs on Linux on x86_64. On aarch64 it was tried in emulation only (QEMU: unit "
	"tests, and programs with both MPI libraries).";

static void page_tryst(FILE *out)
{
	put_title(out, "tryst", 1);
	put_name(out, "tryst",
		"show where the ranks of an MPI program wait for each other, and why");
	fputs(".SH SYNOPSIS\n\\fBtryst\\fR \\fISUBCOMMAND\\fR [\\fIoptions\\fR] "
	      "[\\fIarguments\\fR]\n.SH DESCRIPTION\n",
		out);
	put_paragraphs(out,
		"tryst records the MPI calls of a program. The program stays as it is. A "
		"preloaded library predicts, while the program runs, how long each call would "
		"take if nobody were late. Time beyond the prediction is a wait. Waits are "
		"sorted by protocol (short, eager, rendezvous) and cause, and written to SQLite "
		"databases, one a rank. The records survive any end of the program.\n\n"
		"To begin: mpirun -n 4 tryst run -o out ./app, then tryst report out. "
		"tryst-reading(7) explains the report.");
	fputs(".SH SUBCOMMANDS\n", out);
	for (int i = 0; subcommands[i]; i++)
		if (!subcommands[i]->hidden) {
			fprintf(out, ".TP\n\\fB%s\\fR\n", subcommands[i]->name);
			put_roff(out, subcommands[i]->summary);
			fputc('\n', out);
		}
	put_variables(out);
	fputs(".SH FILES\n", out);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		fputs(".TP\n\\fI", out);
		put_roff(out, files[i][0]);
		fputs("\\fR\n", out);
		put_roff(out, files[i][1]);
		fputc('\n', out);
	}
	fputs(".SH LIMITS\n", out);
	put_paragraphs(out, limits);
	fputs(".SH SECURITY\n", out);
	put_paragraphs(out, security);
	fputs(".SH EXIT STATUS\n", out);
	put_roff(out,
		"0: done. 1: the command failed, or left something out; a message says what. 2: "
		"wrong command line. 3: a condition of tryst diff --fail-if is met. tryst run ends "
		"with the program's exit code, or with 127 or 126 if the program cannot be "
		"started. A shell shows 128 and the signal's number after a signal.\n");
	fputs(".SH INTERRUPTION\n", out);
	put_roff(out,
		"export, report, diff and pack name the file or directory of -o once it is "
		"complete. SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU and SIGXFSZ remove a partial "
		"one. Other signals leave it, with a name that ends in .new-HOST-PID, or in this "
		"and a number. The next command keeps the ranks that "
		"were collected and merged, and goes on with the others. tryst analyze begins its "
		"matching anew.\n");
	fputs(".SH SEE ALSO\n", out);
	for (int i = 0; subcommands[i]; i++)
		if (!subcommands[i]->hidden && strcmp(subcommands[i]->name, "help") != 0) {
			fputs("tryst\\-", out);
			put_roff(out, subcommands[i]->name);
			fputs("(1), ", out);
		}
	fputs("tryst(3), tryst\\-tables(5), tryst\\-reading(7)\n", out);
}

/* A column that means the same in several tables is described once. */
static bool column_repeats(sqlite3 *db, const struct column_doc *c)
{
	const char *dot = c ? strchr(c->name, '.') : NULL;
	const struct column_doc *general = c ? column_doc_find("", dot ? dot + 1 : c->name) : NULL;
	sqlite3_stmt *count;
	bool repeats = false;

	if (!general || strcmp(general->meaning, c->meaning) != 0 ||
		db_prepare(db, sql_merge_column_repeats, &count) != 0)
		return false;
	sqlite3_bind_text(count, 1, general->name, -1, SQLITE_STATIC);
	if (db_step(count) > 0)
		repeats = sqlite3_column_int(count, 0) > 2;
	sqlite3_finalize(count);
	return repeats;
}

static void page_repeated_columns(sqlite3 *db, FILE *out)
{
	fputs(".SH COLUMNS OF SEVERAL TABLES\n", out);
	for (const struct column_doc *c = column_docs; c->name; c++)
		if (!strchr(c->name, '.') && column_repeats(db, c)) {
			fprintf(out, ".TP\n\\fB%s\\fR\n", c->name);
			put_roff(out, c->meaning);
			fputc('\n', out);
		}
}

static void page_index(FILE *out)
{
	fputs(".SH INDEX\n", out);
	for (const struct table_group *g = table_groups; g->title; g++) {
		fprintf(out, ".TP\n\\fB%s\\fR\n", g->title);
		put_roff(out, g->names + 1);
		fputc('\n', out);
	}
}

static void page_cookbook(FILE *out)
{
	fputs(".SH COOKBOOK\n", out);
	put_roff(out,
		"tryst sql --recipe NAME DIR runs one of these queries. tryst sql --recipe list "
		"lists them. tryst sql -n sets :top, the number of rows.\n");
	for (const struct recipe *r = recipes; r->name; r++) {
		fprintf(out, ".TP\n\\fB%s\\fR\n", r->name);
		put_roff(out, r->question);
		fputs("\n.nf\n", out);
		put_roff(out, r->sql);
		fputs(".fi\n", out);
	}
}

static void page_table(sqlite3 *db, const char *table, FILE *out)
{
	const struct table_doc *t = table_doc_find(table);
	struct text others = { 0 };
	sqlite3_stmt *column;

	fprintf(out, ".SH \"%s\"\n", table);
	put_roff(out, t ? t->meaning : "");
	fputc('\n', out);
	if (db_prepare(db, "SELECT name FROM pragma_table_info(?)", &column) != 0)
		return;
	sqlite3_bind_text(column, 1, table, -1, SQLITE_STATIC);
	while (db_step(column) > 0) {
		const char *name = (const char *)sqlite3_column_text(column, 0);
		const struct column_doc *c = column_doc_find(table, name);

		if (column_repeats(db, c)) {
			text_addf(&others, "%s%s", others.length ? ", " : "", name);
			continue;
		}
		fprintf(out, ".TP\n\\fB%s\\fR\n", name);
		put_roff(out, c ? c->meaning : "");
		fputc('\n', out);
	}
	sqlite3_finalize(column);
	if (others.length) {
		fputs(".PP\nAs in several tables: ", out);
		put_roff(out, others.at);
		fputs(".\n", out);
	}
	text_release(&others);
}

static int page_tables(FILE *out)
{
	sqlite3 *db = tables_open();
	sqlite3_stmt *table;

	if (!db || db_prepare(db, sql_merge_public_tables, &table) != 0) {
		sqlite3_close(db);
		return say_error(
			"cannot make the tables: %s", db ? sqlite3_errmsg(db) : "no memory");
	}
	put_title(out, "tryst-tables", 5);
	put_name(out, "tryst-tables", "tables and views of tryst's databases");
	fputs(".SH DESCRIPTION\n", out);
	put_paragraphs(out, tables_introduction);
	page_index(out);
	page_repeated_columns(db, out);
	while (db_step(table) > 0)
		page_table(db, (const char *)sqlite3_column_text(table, 0), out);
	page_cookbook(out);
	fputs(".SH \"SEE ALSO\"\ntryst\\-sql(1), tryst\\-report(1), sqlite3(1)\n", out);
	sqlite3_finalize(table);
	sqlite3_close(db);
	return CMD_OK;
}

int man_page(const char *name, FILE *out)
{
	char base[64];

	snprintf(base, sizeof base, "%.*s", name ? (int)strcspn(name, ".") : 0, name ? name : "");
	if (strcmp(base, "tryst") == 0) {
		page_tryst(out);
		return CMD_OK;
	}
	if (strcmp(base, "tryst-tables") == 0)
		return page_tables(out);
	if (strncmp(base, "tryst-", 6) == 0 && subcommand_find(base + 6)) {
		page_subcommand(subcommand_find(base + 6), out);
		return CMD_OK;
	}
	say_error("no page '%s'", base);
	return CMD_USAGE;
}
