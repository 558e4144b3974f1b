/* SPDX-License-Identifier: BSD-3-Clause */
/* shim.c: the state of the run, and what the shim says on the program's stderr. */
#include "pmpi/record/shim.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/base/shown.h"
#include "analysis/format/run/mark.h"

struct shim shim;

void shim_say_text(void *context, const char *text)
{
	char shown[2048]; /* names in it are the program's and the user's */

	(void)context;
	if (shim.settings.messages != MESSAGES_QUIET)
		dprintf(STDERR_FILENO, "tryst: %s\n", shown_text(text, shown, sizeof(shown)));
}

static void vsay(const char *format, va_list arguments)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, arguments);
	shim_say_text(NULL, text);
}

void shim_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsay(format, arguments);
	va_end(arguments);
}

void shim_note(const char *format, ...)
{
	va_list arguments;
	char reason[256];

	if (!shim.settings.started)
		return;
	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	mark_note(shim.settings.started, "note", reason);
}

void shim_say_not_recorded(const char *path, int error)
{
	shim_say("cannot write '%s': %s; nothing is recorded on rank %d", path, strerror(error),
		shim.rank);
	/* equal on all ranks, since reports group by it; a long name is cut, the reason is not */
	shim_note("it could not write (%s) in '%s'", strerror(error), shim.dir);
}

void shim_say_verbose(const char *format, ...)
{
	va_list arguments;

	if (shim.settings.messages != MESSAGES_VERBOSE)
		return;
	va_start(arguments, format);
	vsay(format, arguments);
	va_end(arguments);
}
