/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * say.c: messages of the command, on stderr, each once, with the subcommand's name before it.
 */
#include "cmd.h"

#include <stdarg.h>

static const struct subcommand *speaker;

void say_as(const struct subcommand *cmd)
{
	speaker = cmd;
}

static void say(const char *format, va_list args)
{
	/* What was printed so far belongs before the message, also where both go to one file. */
	fflush(stdout);
	fprintf(stderr, "tryst%s%s: ", speaker ? " " : "", speaker ? speaker->name : "");
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
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
