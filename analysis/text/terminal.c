/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.c: text fitted to where it is read. */
#include <config.h>

#include "analysis/text/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/base/shown.h"

int terminal_columns(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	long n = 0;

	if (columns)
		n = strtol(columns, NULL, 10);
	if (n <= 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
		n = size.ws_col;
	if (n <= 0)
		n = 80;
	return n < 40 ? 40 : n > 250 ? 250 : (int)n;
}

bool has_colour(FILE *out)
{
	const char *term = getenv("TERM"), *none = getenv("NO_COLOR");

	return isatty(fileno(out)) && term && strcmp(term, "dumb") != 0 && !(none && *none);
}

/* Narrower than 80 cuts names, wider than 200 is hard to read. */
int columns_to_fit(int64_t asked)
{
	int columns = asked ? (int)asked : isatty(STDOUT_FILENO) ? terminal_columns(stdout) : 80;

	return asked ? columns : columns < 80 ? 80 : columns > 200 ? 200 : columns;
}

void print_wrapped(FILE *out, const char *text, int at, int indent, int columns)
{
	bool begun = false;

	while (*text) {
		int skip = (int)strspn(text, " \n"), length = (int)strcspn(text + skip, " \n");
		int width = 0;

		for (const char *c = text + skip; c < text + skip + length;)
			width += shown_columns(c, &c);
		if (length == 0)
			break;
		if (begun && at + 1 + width > columns) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
			begun = false;
		}
		fprintf(out, "%s%.*s", begun ? " " : "", length, text + skip);
		at += width + begun;
		begun = true;
		text += skip + length;
	}
	fputc('\n', out);
}

void print_foreign(FILE *out, const char *text, int at, int indent, int columns)
{
	char *shown = shown_copy(text, strlen(text));

	print_wrapped(out, shown ? shown : "out of memory", at, indent, columns);
	free(shown);
}
