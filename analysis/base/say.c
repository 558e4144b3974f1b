/* SPDX-License-Identifier: BSD-3-Clause */
/* say.c: passes a formatted line on to a struct say (say.h). */
#include "analysis/base/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void say_line(const struct say *say, const char *format, ...)
{
	char text[1024];
	va_list args;

	if (!say || !say->line)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	say->line(say->context, text);
}

static void list_line(void *context, const char *text)
{
	struct say_list *list = context;
	size_t bytes = strlen(text) + 1;

	if (bytes > sizeof(list->text) - list->used) {
		list->lost++;
		return;
	}
	memcpy(list->text + list->used, text, bytes);
	list->used += bytes;
}

void say_list_init(struct say_list *list)
{
	list->say.line = list_line;
	list->say.context = list;
	list->used = 0;
	list->lost = 0;
}

const char *say_list_next(const struct say_list *list, const char *line)
{
	const char *next = line ? line + strlen(line) + 1 : list->text;

	return next < list->text + list->used ? next : NULL;
}
