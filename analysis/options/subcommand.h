/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subcommand.h: what a subcommand of `tryst` is made of.
 *
 * A subcommand is a file command/NAME.c that defines one `struct subcommand`, and a line in the
 * table of command/commands.c. Its option table is the only place where options are described:
 * parsing, defaults, -h, `tryst help`, manual pages and completion are made from it.
 *
 *	struct greet_options {
 *		const char *name;
 *		int64_t times;
 *		bool loud;
 *	};
 *
 *	static const struct option options[] = {
 *		{ .name = "name", .letter = 'n', .type = OPT_TEXT, .argument = "WHO",
 *			.at = offsetof(struct greet_options, name), .help = "whom to greet" },
 *		{ .name = "times", .type = OPT_WHOLE, .argument = "N", .initial = "1", .lowest = 1,
 *			.highest = 9, .at = offsetof(struct greet_options, times),
 *			.help = "how often" },
 *		{ .name = "loud", .type = OPT_FLAG, .at = offsetof(struct greet_options, loud),
 *			.help = "in capitals" },
 *		{ 0 }
 *	};
 *
 *	static int run_greet(const void *options_read, int argc, char **argv);
 *
 *	const struct subcommand cmd_greet = { .name = "greet", ... };
 */
#ifndef TRYST_OPTIONS_SUBCOMMAND_H
#define TRYST_OPTIONS_SUBCOMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum option_type {
	OPT_FLAG, /* bool; takes no argument */
	OPT_TEXT, /* const char *, pointing into argv or to `initial` */
	/*
	 * int64_t; k, M, G: powers of 1024 if `argument` is BYTES, else of 1000. If `argument` is
	 * like N|off, "off" is 0.
	 */
	OPT_WHOLE,
	OPT_REAL,  /* double; of argument "TIME" in s: "2", "1.5s", "10ms" */
	OPT_CHOICE /* int: index of the word in `argument`, words separated by | */
};

struct option {
	const char *name; /* long, without --, or one letter; NULL: the end */
	char letter;      /* short name besides, or 0 */
	enum option_type type;
	bool raw;               /* checked as its type, kept as text, NULL if not given */
	bool hidden;            /* not in any help text */
	bool once;              /* of OPT_TEXT, a list without `initial`: no second one */
	const char *argument;   /* as shown: "DIR", "N", "text|csv|json" */
	const char *variable;   /* of the environment that does the same, or NULL */
	const char *initial;    /* default as it would be typed; NULL: none (0, false) */
	size_t at;              /* offsetof() in the subcommand's struct of options */
	double lowest, highest; /* of OPT_WHOLE and OPT_REAL; both 0: any */
	const char *help;       /* one line; the default in brackets is added */
};

struct subcommand {
	const char *name;
	const char *summary;          /* one line, begins with a small letter, no full stop */
	const char *arguments;        /* operands as shown in the usage: "DIR [QUERY]" */
	const char *description;      /* paragraphs, an empty line between, for help and man */
	const char *examples;         /* lines "command\tmeaning\n", for help and man */
	const char *see_also;         /* "tryst-run(1), tryst-report(1)", or NULL */
	const struct option *options; /* ended by an empty one; NULL: none */
	size_t options_size;          /* of the struct that `run` gets; 0: none */
	int min_operands;
	int max_operands;      /* -1: any number */
	bool stops_at_operand; /* options end at the first operand (a program to run) */
	bool hidden;           /* not listed */
	/* argc operands in argv, argv[argc] == NULL. Returns an exit code. */
	int (*run)(const void *options_read, int argc, char **argv);
};

/* All subcommands in the order of the help text, ended by NULL. */
extern const struct subcommand *const subcommands[];

/* NULL where there is none of that name. */
const struct subcommand *subcommand_find(const char *name);

/* The name nearest to `name` by edit distance, or NULL where none is near. */
const char *subcommand_suggest(const char *name);

/*
 * Reads the options of `cmd` from argv[1..argc) into `values` (options_size bytes), defaults
 * first. Operands are moved to the front of argv + 1, in order, and counted in *noperands.
 * Returns CMD_OK, or CMD_USAGE with one message printed. -h and --help set *help to 'h' or 'H'.
 */
int options_read(const struct subcommand *cmd, int argc, char **argv, void *values, int *noperands,
	int *help);

/*
 * Reads options of `cmd` of types OPT_FLAG and OPT_TEXT from the file `path`: a line NAME VALUE
 * each, # for comments. A text that `values` has already stays; two lines with the same one are
 * refused. The values point into *text,
 * which the caller frees in any case. Returns CMD_OK, or another exit code with one message
 * printed.
 */
int options_file(const struct subcommand *cmd, const char *path, void *values, char **text);

/* True for the empty entry that ends a table. */
static inline bool option_is_end(const struct option *o)
{
	return !o->name;
}

/* The long name, NULL where there is only a letter; the letter, 0 for none. */
static inline const char *option_long(const struct option *o)
{
	return o->name[1] ? o->name : NULL;
}

static inline char option_letter(const struct option *o)
{
	return o->name[1] ? o->letter : o->name[0];
}

/* Help texts and what is made from the same tables (help.c, man.c, completion.c). */
void help_begin(FILE *out);                               /* three lines: how to begin */
void help_all(FILE *out);                                 /* tryst --help */
void help_short(const struct subcommand *cmd, FILE *out); /* tryst X -h */
void help_long(const struct subcommand *cmd, FILE *out);  /* tryst help X */
int man_page(const char *name, FILE *out); /* "tryst-run.1" as roff; returns an exit code */
void completion_bash(FILE *out);

#endif
