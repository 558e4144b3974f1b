/* SPDX-License-Identifier: BSD-3-Clause */
/* shown.c: escapes what a terminal would obey (shown.h). */
#include <config.h>

#include "analysis/base/shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Overlong forms, surrogates and what is beyond U+10FFFF are no characters. */
size_t utf8_next(const char *text, size_t bytes, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)text;
	size_t n = p[0] < 0x80 ? 1 :
		p[0] < 0xc2    ? 0 :
		p[0] < 0xe0    ? 2 :
		p[0] < 0xf0    ? 3 :
		p[0] < 0xf5    ? 4 :
				 0;
	uint32_t c = n <= 1 ? p[0] : p[0] & (0x7fu >> n);

	*code = UTF8_INVALID;
	if (n == 0 || n > bytes)
		return 1;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 1;
	*code = c;
	return n;
}

bool shown_as_is(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} unseen[] = {
		{ 0x7f, 0x9f },
		{ 0xad, 0xad },
		{ 0x61c, 0x61c },
		{ 0x180e, 0x180e },
		{ 0x200b, 0x200f },
		{ 0x2028, 0x202e },
		{ 0x2060, 0x206f },
		{ 0xfeff, 0xfeff },
		{ 0xfff9, 0xfffb },
		{ 0xe0000, 0xe0fff },
		{ UTF8_INVALID, UTF8_INVALID },
	};

	if (code < 0x7f)
		return code >= 0x20;
	for (size_t i = 0; i < sizeof(unseen) / sizeof(*unseen) && code >= unseen[i].first; i++)
		if (code <= unseen[i].last)
			return false;
	return true;
}

size_t shown_span(const char *text, size_t bytes)
{
	size_t at = 0, n;
	uint32_t code;

	while (at < bytes) {
		n = utf8_next(text + at, bytes - at, &code);
		if (!shown_as_is(code))
			break;
		at += n;
	}
	return at;
}

size_t shown_escape(const char *text, size_t bytes, char escape[SHOWN_MOST])
{
	static const char names[] = { ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't' };
	uint32_t code;
	size_t n = utf8_next(text, bytes, &code);

	if (code < sizeof(names) && names[code])
		snprintf(escape, SHOWN_MOST, "\\%c", names[code]);
	else if (code < 0x80 || code == UTF8_INVALID)
		snprintf(escape, SHOWN_MOST, "\\x%02x", (unsigned char)*text);
	else
		snprintf(escape, SHOWN_MOST, code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
	return n;
}

/*
 * Bytes, without the NUL, that `text` takes as it is shown, `room` at most; written where `to` is
 * not NULL.
 */
static size_t show(const char *text, size_t bytes, char *to, size_t room)
{
	size_t used = 0;

	for (size_t at = 0; at < bytes;) {
		char escape[SHOWN_MOST];
		const char *from = text + at;
		uint32_t code;
		size_t n = utf8_next(from, bytes - at, &code);

		at += n;
		if (!shown_as_is(code)) {
			shown_escape(from, n, escape);
			from = escape;
			n = strlen(escape);
		}
		if (n > room - used)
			break;
		if (to)
			memcpy(to + used, from, n);
		used += n;
	}
	return used;
}

char *shown_text(const char *text, char *to, size_t room)
{
	to[show(text, strlen(text), to, room - 1)] = '\0';
	return to;
}

char *shown_copy(const char *text, size_t bytes)
{
	size_t room = show(text, bytes, NULL, SIZE_MAX);
	char *to = malloc(room + 1);

	if (to)
		to[show(text, bytes, to, room)] = '\0';
	return to;
}

int shown_columns(const char *text, const char **end)
{
	uint32_t code;
	int columns;

	*end = text + utf8_next(text, strnlen(text, 4), &code);
	if (code < 0x80 || code == UTF8_INVALID)
		return 1;
	columns = wcwidth((wchar_t)code);
	return columns < 0 ? 1 : columns;
}

int shown_width(const char *text)
{
	int n = 0;

	while (*text)
		n += shown_columns(text, &text);
	return n;
}
