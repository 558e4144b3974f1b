/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: appends to text that grows (text.h). */
#include "analysis/base/text.h"
#include "analysis/base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` bytes and a NUL. */
static bool make_room(struct text *to, size_t more)
{
	bool there = array_room(&to->at, 1, &to->room, to->length + more) == 0;

	to->failed |= !there;
	return there;
}

void text_add(struct text *to, const char *text)
{
	size_t bytes = strlen(text);

	if (!make_room(to, bytes))
		return;
	memcpy(to->at + to->length, text, bytes + 1);
	to->length += bytes;
}

void text_addf(struct text *to, const char *format, ...)
{
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (bytes < 0)
		to->failed = true;
	if (bytes < 0 || !make_room(to, (size_t)bytes))
		return;
	va_start(arguments, format);
	vsnprintf(to->at + to->length, (size_t)bytes + 1, format, arguments);
	va_end(arguments);
	to->length += (size_t)bytes;
}

void text_add_quoted(struct text *to, const char *word)
{
	if (*word && !word[strcspn(word, " \t\n'\"\\$`&|;<>()*?[]#~!{}")]) {
		text_add(to, word);
		return;
	}
	text_add(to, "'");
	for (; *word; word++)
		if (*word == '\'')
			text_add(to, "'\\''");
		else
			text_addf(to, "%c", *word);
	text_add(to, "'");
}

void text_release(struct text *text)
{
	free(text->at);
	*text = (struct text){ 0 };
}
