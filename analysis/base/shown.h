/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shown.h: escapes foreign text for terminals.
 *
 * Names of programs, communicators, files and functions come from other people's files. A terminal
 * obeys some of their bytes: ESC ]0;... sets its title, a carriage return writes over the line,
 * U+202E changes its direction. All text that is printed passes one of these functions once, when
 * it leaves the process:
 *
 *	newline, carriage return, tab	\n \r \t
 *	other control characters	\x1b (below U+0080), \u009b (U+0080 to U+009F)
 *	direction, zero width, unseen	\u202e, \U000e0041
 *	a byte that is no UTF-8		\xff
 *
 * All else is unchanged, including backslashes. The result is UTF-8 without control characters.
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

/* True if the character needs no escape. */
bool shown_as_is(uint32_t code);

/* The number of bytes at the beginning of `text` that need no escape. */
size_t shown_span(const char *text, size_t bytes);

/*
 * The escape of the character at text[0..bytes), which needs one. Returns the character's bytes.
 */
size_t shown_escape(const char *text, size_t bytes, char escape[SHOWN_MOST]);

/*
 * Writes `text` with escapes to to[room], room > 0; cut after a whole character or escape. Returns
 * `to`.
 */
char *shown_text(const char *text, char *to, size_t room);

/* The same for text[0..bytes), in memory that the caller frees; NULL without memory. */
char *shown_copy(const char *text, size_t bytes);

/*
 * The width of escaped text in columns, by the locale of the process. A wide character takes 2, a
 * combining one 0, and one that the locale does not know 1.
 */
int shown_width(const char *text);

/* The width of the first character of `text`, which is not empty. *end: behind this character. */
int shown_columns(const char *text, const char **end);

#endif
