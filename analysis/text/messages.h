/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h: messages of the command on stderr, each with the subcommand's name, and exit codes.
 */
#ifndef TRYST_TEXT_MESSAGES_H
#define TRYST_TEXT_MESSAGES_H

#include "analysis/base/say.h"

/*
 * Exit codes. CMD_CONDITION: a condition of tryst diff --fail-if is met. A subcommand that exec's a
 * program ends with that program's code.
 */
enum { CMD_OK = 0, CMD_FAILED = 1, CMD_USAGE = 2, CMD_CONDITION = 3 };

/* For manuals of subcommands that end with CMD_FAILED if dataset/dataset.h says `incomplete`. */
#define CMD_INCOMPLETE                                                                             \
	"Exit code 0: every rank's records were there and were used. 1: a rank has no "            \
	"file or a damaged one, or nothing can be used; the rest was done. 2: an option "          \
	"or argument is wrong."

/* For manuals of subcommands that print tables in the formats of text/table.h. */
#define CMD_FORMATS                                                                                \
	"csv is RFC 4180 and json RFC 8259, both in UTF-8. Programs choose the names in "          \
	"a run. Text, csv and messages show an escape for a character that a terminal "            \
	"would obey or not show (\\n, \\x1b, \\u202e), and for a byte that is not UTF-8 "          \
	"(\\xff). csv keeps tabs, and newlines in quotes. json has \\uNNNN for these "             \
	"characters and \\ufffd for such a byte. Blobs are hexadecimal digits. json has "          \
	"null for a number that is not finite, and NAME_2 for a second column NAME. "              \
	"spreadsheet is csv for a spreadsheet program, which takes a text that begins "            \
	"with =, +, -, @ or a tab for a formula: such a text gets an apostrophe in "               \
	"front. Numbers, negative ones too, are as in csv."

/* "tryst report: message\n" on stderr, where report is what runs. Returns CMD_FAILED. */
int say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a message that is no error. */
void say_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints a line with names on stdout. Foreign names are escaped here, and in messages, by
 * analysis/base/shown.h.
 */
void put_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For code that reports to a struct say: prints each line as say_note() does. */
extern const struct say say_stderr;

/* Later messages carry this name of a subcommand; NULL: none. The text is not copied. */
void say_as(const char *subcommand);

#endif
