/* SPDX-License-Identifier: BSD-3-Clause */
/* sections.h: what commands that print sections (analysis/report/report.h) have in common. */
#ifndef TRYST_COMMAND_SECTIONS_H
#define TRYST_COMMAND_SECTIONS_H

#include <stddef.h>
#include <string.h>

#include "analysis/base/distance.h"
#include "analysis/base/text.h"
#include "analysis/options/subcommand.h"
#include "analysis/report/report.h"
#include "analysis/text/messages.h"

/*
 * The options --format, --sections, --top and --width, of the struct `owner` with these members.
 * names: its sections; rows: the default of --top; rows_help: what --top counts; more_formats: ""
 * or "|html" (FORMAT_HTML).
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
		.help = "write this new file; missing directories are made [standard output]"      \
	}

/*
 * Prints that `sections` have none of the first name in `unknown`, which one is spelled like it,
 * and all of them. Returns CMD_USAGE.
 */
static inline int say_no_section(const char *unknown, const struct section *sections)
{
	const size_t bytes = strcspn(unknown, ",");
	const struct section *meant = NULL;
	struct text names = { 0 };
	unsigned least = 3; /* farther names were not meant */

	for (const struct section *s = sections; s->name; s++) {
		const unsigned far = name_distance(unknown, bytes, s->name);

		if (far < least || (bytes >= 3 && strncmp(s->name, unknown, bytes) == 0)) {
			least = far < least ? far : 1;
			meant = s;
		}
		if (!list_has(names.at, s->name))
			text_addf(&names, "%s%s", names.length ? "," : "", s->name);
	}
	say_error("no section '%.*s'%s%s%s %s are %s", (int)bytes, unknown,
		meant ? "; did you mean '" : "", meant ? meant->name : "", meant ? "'?" : ";",
		meant ? "There" : "there", names.at ? names.at : "none");
	text_release(&names);
	return CMD_USAGE;
}

#endif
