/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * man.c: manual pages from the tables of subcommands, settings and database tables, as roff.
 */
#include <config.h>

#include "cmd.h"
#include "tables_doc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Text in roff: no line may begin with a dot or a quote, a backslash or a minus is escaped. */
static void put(FILE *out, const char *text)
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
	put(out, name);
	fputs(" \\- ", out);
	put(out, summary);
	fputc('\n', out);
}

/* Paragraphs, separated by empty lines in `text`. */
static void put_paragraphs(FILE *out, const char *text)
{
	while (text && *text) {
		const char *end = strstr(text, "\n\n");
		char *one = end ? strndup(text, (size_t)(end - text)) : strdup(text);

		fputs(".PP\n", out);
		put(out, one ? one : "");
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
		put(out, name);
		fputs("\\fR", out);
	}
	if (o->argument) {
		fputs(" \\fI", out);
		put(out, o->argument);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	put(out, o->help);
	if (o->initial) {
		fputs(" [", out);
		put(out, o->initial);
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
		put(out, line);
		fputs("\\fR\n", out);
		put(out, tab ? tab : "");
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
	put(out, cmd->arguments);
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
	put(out, cmd->see_also ? cmd->see_also : "tryst(1)");
	fputc('\n', out);
}

struct variable {
	const char *name, *argument, *initial, *help;
};

static const struct variable variables[] = {
#define SETTING(field, variable, option, argument, type, initial, lowest, highest, help) \
	{ variable, argument, initial, help },
#include "settings.def"
#undef SETTING
};

static void put_variables(FILE *out)
{
	fputs(".SH ENVIRONMENT\n", out);
	put(out, "The library reads these; tryst run sets them from its options.\n");
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const struct variable *v = &variables[i];

		fprintf(out, ".TP\n\\fB%s\\fR=\\fI", v->name);
		put(out, v->argument);
		fputs("\\fR\n", out);
		put(out, v->help);
		if (v->initial) {
			fputs(" [", out);
			put(out, v->initial);
			fputc(']', out);
		}
		fputc('\n', out);
	}
}

static const char *const files[][2] = {
	{ "DIR/rank-NNNNNN.db", "one rank's records, SQLite; tryst-tables(5) describes it" },
	{ "DIR/rank-NNNNNN.ring, .spool",
		"the same while the rank runs, or after it was killed; tryst collect reads them" },
	{ "DIR/run.db", "all ranks, made by tryst merge" },
	{ "DIR/ranks-NNNNNN/", "a thousand ranks' files each, in runs of more than 1024 ranks" },
	{ "DIR/world-N/", "the same for processes that were spawned by MPI" },
	{ "DIR/tryst.run", "the run's id: a directory that has it belongs to that run" },
	{ "DIR.started/", "marks of processes that tryst run started and MPI_Init has not seen" },
	{ "~/.cache/tryst/", "measured link parameters" },
};

static void page_tryst(FILE *out)
{
	put_title(out, "tryst", 1);
	put_name(out, "tryst",
		"tell where the ranks of an MPI program wait for each other, and why");
	fputs(".SH SYNOPSIS\n\\fBtryst\\fR \\fISUBCOMMAND\\fR [\\fIoptions\\fR] "
	      "[\\fIarguments\\fR]\n.SH DESCRIPTION\n",
		out);
	put_paragraphs(out,
		"tryst records the MPI calls of a program that stays as it is. A preloaded "
		"library predicts, while the program runs, how long each call would take if "
		"nobody were late; what a call takes longer is a wait. Waits are sorted by "
		"protocol (short, eager, rendezvous) and cause and written to SQLite databases, "
		"one a rank, which survive whatever ends the program.\n\n"
		"To begin: mpirun -n 4 tryst run -o out ./app, then tryst report out.");
	fputs(".SH SUBCOMMANDS\n", out);
	for (int i = 0; subcommands[i]; i++)
		if (!subcommands[i]->hidden) {
			fprintf(out, ".TP\n\\fB%s\\fR\n", subcommands[i]->name);
			put(out, subcommands[i]->summary);
			fputc('\n', out);
		}
	put_variables(out);
	fputs(".SH FILES\n", out);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		fputs(".TP\n\\fI", out);
		put(out, files[i][0]);
		fputs("\\fR\n", out);
		put(out, files[i][1]);
		fputc('\n', out);
	}
	fputs(".SH EXIT STATUS\n", out);
	put(out,
		"0: done. 1: it failed, or something had to be left out; the message says what. 2: "
		"the command line makes no sense. tryst run ends as the program does, or with 127 "
		"or 126 if that cannot be started.\n");
	fputs(".SH SEE ALSO\n", out);
	for (int i = 0; subcommands[i]; i++)
		if (!subcommands[i]->hidden && strcmp(subcommands[i]->name, "help") != 0) {
			fputs("tryst\\-", out);
			put(out, subcommands[i]->name);
			fputs("(1), ", out);
		}
	fputs("tryst\\-tables(5)\n", out);
}

static void page_table(sqlite3 *db, const char *table, FILE *out)
{
	const struct table_doc *t = table_doc_find(table);
	sqlite3_stmt *column;

	fprintf(out, ".SH \"%s\"\n", table);
	put(out, t ? t->meaning : "");
	fputc('\n', out);
	if (sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info(?)", -1, &column, NULL)
		!= SQLITE_OK)
		return;
	sqlite3_bind_text(column, 1, table, -1, SQLITE_STATIC);
	while (sqlite3_step(column) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(column, 0);
		const struct column_doc *c = column_doc_find(table, name);

		fprintf(out, ".TP\n\\fB%s\\fR\n", name);
		put(out, c ? c->meaning : "");
		fputc('\n', out);
	}
	sqlite3_finalize(column);
}

static int page_tables(FILE *out)
{
	sqlite3 *db = tables_open();
	sqlite3_stmt *table;

	if (!db || sqlite3_prepare_v2(db, tables_list_sql, -1, &table, NULL) != SQLITE_OK) {
		sqlite3_close(db);
		return say_error(
			"cannot make the tables: %s", db ? sqlite3_errmsg(db) : "no memory");
	}
	put_title(out, "tryst-tables", 5);
	put_name(out, "tryst-tables", "tables and views of tryst's databases");
	fputs(".SH DESCRIPTION\n", out);
	put_paragraphs(out, tables_introduction);
	while (sqlite3_step(table) == SQLITE_ROW)
		page_table(db, (const char *)sqlite3_column_text(table, 0), out);
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
