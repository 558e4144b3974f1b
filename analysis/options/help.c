/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * help.c: help texts made from the tables, fitted to the terminal.
 */
#include <config.h>

#include "analysis/options/subcommand.h"
#include "analysis/text/messages.h"
#include "analysis/text/terminal.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void help_begin(FILE *out)
{
	fputs("mpirun -n 4 tryst run -o out ./app   record a run (any MPI program, unchanged)\n"
	      "tryst report out                     where its ranks waited, and why\n"
	      "tryst --help                         everything else; tryst doctor if something "
	      "fails\n",
		out);
}

void help_all(FILE *out)
{
	int columns = terminal_columns(out);

	fputs("usage: tryst SUBCOMMAND [options] [arguments]\n\n", out);
	fputs("Tells where the ranks of an MPI program wait for each other, why, and what to "
	      "do.\n\n",
		out);
	for (int i = 0; subcommands[i]; i++) {
		if (subcommands[i]->hidden)
			continue;
		fprintf(out, "  %-10s ", subcommands[i]->name);
		print_wrapped(out, subcommands[i]->summary, 13, 13, columns);
	}
	fputs("\nTo begin:\n"
	      "  mpirun -n 4 tryst run -o out ./app\n"
	      "  tryst report out\n\n"
	      "tryst X -h: options of X in short; tryst help X: in full; tryst --version.\n",
		out);
}

static void print_usage(const struct subcommand *cmd, FILE *out)
{
	char text[512];

	snprintf(text, sizeof text, "usage: tryst %s%s %s", cmd->name,
		cmd->options ? " [options]" : "", cmd->arguments);
	print_wrapped(out, text, 0, 8, terminal_columns(out));
}

/* "-o, --output DIR" */
static int option_left(const struct option *o, char *left, size_t size)
{
	char letter[8] = "    ";

	const char *name = option_long(o);

	if (option_letter(o))
		snprintf(letter, sizeof letter, "-%c%s", option_letter(o), name ? ", " : "");
	return snprintf(left, size, "%s%s%s%s%s", letter, name ? "--" : "", name ? name : "",
		o->argument ? " " : "", o->argument ? o->argument : "");
}

/* The variable of an option is for the long help. */
static void print_option(
	const struct option *o, bool in_full, int left_width, int columns, FILE *out)
{
	char left[128], text[512];
	int n = option_left(o, left, sizeof left), indent = left_width + 4;

	fprintf(out, "  %s", left);
	if (n > left_width)
		fprintf(out, "\n%*s", indent, "");
	else
		fprintf(out, "%*s", left_width - n + 2, "");
	snprintf(text, sizeof text, "%s%s%s%s%s%s%s", o->help, o->initial ? " [" : "",
		o->initial ? o->initial : "", o->initial ? "]" : "",
		in_full && o->variable ? " (" : "", in_full && o->variable ? o->variable : "",
		in_full && o->variable ? ")" : "");
	print_wrapped(out, text, indent, indent, columns);
}

static void print_options(const struct subcommand *cmd, bool in_full, int columns, FILE *out)
{
	int left_width = 0, most = columns / 2 - 8 < 28 ? columns / 2 - 8 : 28;

	for (const struct option *o = cmd->options; o && !option_is_end(o); o++) {
		char left[128];
		int n = option_left(o, left, sizeof left);

		if (!o->hidden && n > left_width && n <= most)
			left_width = n;
	}
	for (const struct option *o = cmd->options; o && !option_is_end(o); o++)
		if (!o->hidden)
			print_option(o, in_full, left_width, columns, out);
}

void help_short(const struct subcommand *cmd, FILE *out)
{
	int columns = terminal_columns(out);

	print_usage(cmd, out);
	fprintf(out, "  ");
	print_wrapped(out, cmd->summary, 2, 2, columns);
	if (cmd->options)
		fputc('\n', out);
	print_options(cmd, false, columns, out);
	fprintf(out, "\ntryst help %s tells more.\n", cmd->name);
}

static void print_examples(const struct subcommand *cmd, int columns, FILE *out)
{
	const char *p = cmd->examples;

	fputs("\nExamples:\n", out);
	while (p && *p) {
		int command = (int)strcspn(p, "\t"), meaning;

		fprintf(out, "  %.*s\n", command, p);
		p += command + (p[command] == '\t');
		meaning = (int)strcspn(p, "\n");
		if (meaning > 0) {
			char text[512];

			snprintf(text, sizeof text, "%.*s", meaning, p);
			fputs("      ", out);
			print_wrapped(out, text, 6, 6, columns);
		}
		p += meaning + (p[meaning] == '\n');
	}
}

void help_long(const struct subcommand *cmd, FILE *out)
{
	int columns = terminal_columns(out);
	const char *p = cmd->description;

	print_usage(cmd, out);
	fprintf(out, "  ");
	print_wrapped(out, cmd->summary, 2, 2, columns);
	while (p && *p) {
		const char *end = strstr(p, "\n\n");
		size_t length = end ? (size_t)(end - p) : strlen(p);
		char *text = strndup(p, length);

		fputc('\n', out);
		if (text)
			print_wrapped(out, text, 0, 0, columns);
		free(text);
		p += length + (end ? 2 : 0);
	}
	if (cmd->options) {
		fputs("\nOptions:\n", out);
		print_options(cmd, true, columns, out);
	}
	if (cmd->examples)
		print_examples(cmd, columns, out);
}

/* Manual pages that do not explain a subcommand. */
static const struct {
	const char *topic, *section, *page, *tells;
} manuals[] = {
	{ "reading", "7", "tryst-reading", "tryst-reading(7) explains the report" },
	{ "tables", "5", "tryst-tables", "tryst-tables(5) lists the tables for SQL" },
	{ "tryst", "1", "tryst", "tryst(1) gives an overview, with all settings" },
	{ "phases", "3", "tryst", "tryst(3) tells how a program names its phases" },
};

/* Shows a manual page by man. Returns false if there is no man, or if it does not find the page. */
static bool show_by_man(const char *section, const char *page)
{
	char man[] = "man", *argv[] = { man, (char *)section, (char *)page, NULL };
	pid_t pid;
	int status;

	return posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) == 0 &&
		waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/*
 * Shows the manual page of a topic on a terminal. Elsewhere, or if man fails, prints its name.
 * Returns false if the topic is unknown.
 */
static bool help_manual(const char *topic)
{
	for (size_t i = 0; i < sizeof manuals / sizeof *manuals; i++) {
		if (strcmp(manuals[i].topic, topic) != 0)
			continue;
		if (!isatty(STDOUT_FILENO) || !show_by_man(manuals[i].section, manuals[i].page))
			printf("%s: man %s %s\n", manuals[i].tells, manuals[i].section,
				manuals[i].page);
		return true;
	}
	return false;
}

static int run_help(const void *options, int argc, char **argv)
{
	const struct subcommand *cmd;

	(void)options;
	if (argc == 0) {
		help_all(stdout);
		return CMD_OK;
	}
	cmd = subcommand_find(argv[0]);
	if (!cmd && help_manual(argv[0]))
		return CMD_OK;
	if (!cmd) {
		say_error("no subcommand '%s'; see tryst --help", argv[0]);
		return CMD_USAGE;
	}
	help_long(cmd, stdout);
	return CMD_OK;
}

const struct subcommand cmd_help = {
	.name = "help",
	.summary = "explain a subcommand in full",
	.arguments = "[SUBCOMMAND|reading|tables|phases]",
	.max_operands = 1,
	.run = run_help,
};
