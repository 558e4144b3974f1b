/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shown.h: foreign text as it may reach a terminal.
 *
 * Names of programs, communicators, files and functions come from other people's files. A terminal
 * obeys some of their bytes: ESC ]0;... sets its title, a carriage return writes over the line,
 * U+202E turns its direction. Everything that is printed passes one of these functions, once, where
 * it leaves the process:
 *
 *	newline, carriage return, tab	\n \r \t
 *	other control characters	\x1b (below U+0080), \u009b (U+0080 to U+009F)
 *	direction, zero width, unseen	\u202e, \U000e0041
 *	a byte that is no UTF-8		\xff
 *
 * All else stands as it is, backslashes too. What comes out is UTF-8 without control characters.
 */
#ifndef TRYST_BASE_SHOWN_H
#define TRYST_BASE_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SHOWN_MOST = 11,          /* bytes that a character's escape takes, with its NUL */
	UTF8_INVALID = 0x7fffffff /* no character */
};

/*
 * The character at text[0..bytes), bytes > 0; UTF8_INVALID for one byte that begins none. Returns
 * its bytes.
 */
size_t utf8_next(const char *text, size_t bytes, uint32_t *code);

/* May the character stand as it is? */
bool shown_as_is(uint32_t code);

/* How many bytes at the beginning of `text` may stand as they are. */
size_t shown_span(const char *text, size_t bytes);

/*
 * The escape of the character at text[0..bytes), which may not stand as it is. Returns the
 * character's bytes.
 */
size_t shown_escape(const char *text, size_t bytes, char escape[SHOWN_MOST]);

/*
 * `text` as it is shown, in to[room], room > 0; cut behind a whole character or escape. Returns
 * `to`.
 */
char *shown_text(const char *text, char *to, size_t room);

/* The same of text[0..bytes) in memory of its own; NULL without memory. */
char *shown_copy(const char *text, size_t bytes);

/* Characters of shown text, each taken for one column. */
int shown_width(const char *text);

#endif
