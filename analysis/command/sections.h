/* SPDX-License-Identifier: BSD-3-Clause */
/* sections.h: what commands that print sections (analysis/report/report.h) have in common. */
#ifndef TRYST_COMMAND_SECTIONS_H
#define TRYST_COMMAND_SECTIONS_H

#include <stddef.h>
#include <string.h>

#include "analysis/options/subcommand.h"
#include "analysis/report/report.h"
#include "analysis/text/messages.h"

/*
 * The options --format, --sections, --top and --width, of the struct `owner` with these members.
 * names: its sections; rows: the default of --top; rows_help: what --top counts; more_formats: ""
 * or
 * "|html" (FORMAT_HTML).
 */
#define SECTION_OPTIONS(owner, more_formats, names, rows, rows_help)                               \
	{ .name = "format",                                                                        \
		.letter = 'f',                                                                     \
		.type = OPT_CHOICE,                                                                \
		.argument = "text|" TABLE_FORMATS more_formats,                                    \
		.initial = "text",                                                                 \
		.at = offsetof(owner, format),                                                     \
		.help = "for people, or for machines with every column in full" },                 \
		{ .name = "sections",                                                              \
			.letter = 's',                                                             \
			.type = OPT_TEXT,                                                          \
			.argument = "NAME,...",                                                    \
			.at = offsetof(owner, sections),                                           \
			.help = "only these: " names " [all]" },                                   \
		{ .name = "top",                                                                   \
			.letter = 'n',                                                             \
			.type = OPT_WHOLE,                                                         \
			.argument = "N",                                                           \
			.initial = rows,                                                           \
			.lowest = 1,                                                               \
			.highest = 1000000,                                                        \
			.at = offsetof(owner, top),                                                \
			.help = rows_help },                                                       \
	{                                                                                          \
		.name = "width", .type = OPT_WHOLE, .argument = "N", .lowest = 40,                 \
		.highest = 1000, .at = offsetof(owner, width),                                     \
		.help = "columns to fit [the terminal's, 80 to 200]"                               \
	}

/* The word of --format behind those of enum table_format. */
enum { FORMAT_HTML = TABLE_SPREADSHEET + 1 };

/* The option --output of the struct `owner`, whose member `output` is a path or NULL. */
#define OUTPUT_OPTION(owner)                                                                       \
	{                                                                                          \
		.name = "output", .letter = 'o', .type = OPT_TEXT, .argument = "FILE",             \
		.at = offsetof(owner, output),                                                     \
		.help = "write this file, which must not exist [standard output]"                  \
	}

/* Prints that `command` has no section of the first name in `unknown`. Returns CMD_USAGE. */
static inline int say_no_section(const char *unknown, const char *command)
{
	say_error(
		"no section '%.*s'; see tryst %s -h", (int)strcspn(unknown, ","), unknown, command);
	return CMD_USAGE;
}

#endif
