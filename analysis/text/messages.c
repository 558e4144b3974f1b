/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.c: prints the command's messages on stderr, each once, after the subcommand's name, and
 * its results on stdout. It escapes characters in names that a terminal would obey.
 */
#include <config.h>

#include "analysis/text/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/shown.h"
#include "analysis/text/progress.h"

static const char *speaker;

void say_as(const char *subcommand)
{
	speaker = subcommand;
}

static void print(FILE *out, const char *format, va_list args)
{
	char *text = NULL, *shown = NULL;

	if (vasprintf(&text, format, args) >= 0)
		shown = shown_copy(text, strlen(text));
	fprintf(out, "%s\n", shown ? shown : "out of memory");
	free(text);
	free(shown);
}

static void say(const char *format, va_list args)
{
	progress_end();
	/* stdout and stderr may be one file: earlier results come before the message */
	fflush(stdout);
	fprintf(stderr, "tryst%s%s: ", speaker ? " " : "", speaker ? speaker : "");
	print(stderr, format, args);
}

void put_line(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(stdout, format, args);
	va_end(args);
}

int say_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return CMD_FAILED;
}

void say_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

static void line_to_stderr(void *context, const char *text)
{
	(void)context;
	say_note("%s", text);
}

const struct say say_stderr = { .line = line_to_stderr };
