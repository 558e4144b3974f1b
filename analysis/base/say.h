/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * say.h: how code that may not print says something.
 *
 * analysis/format is linked into the preloaded library and into the command; what it has to say
 * goes, a line at a time and without a newline, to the `struct say` that the caller gives.
 */
#ifndef TRYST_BASE_SAY_H
#define TRYST_BASE_SAY_H

#include <stddef.h>

struct say {
	/* NULL: nobody listens. `text` is valid during the call only. */
	void (*line)(void *context, const char *text);
	void *context;
};

/* Says one line of at most 1023 bytes; longer ones are cut. `say` may be NULL. No malloc. */
void say_line(const struct say *say, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keeps lines for later, in fixed memory; what finds no room is counted. */
struct say_list {
	struct say say;  /* give &list.say to what wants to speak */
	size_t used;     /* bytes of text[] in use */
	unsigned lost;   /* lines that found no room */
	char text[4032]; /* lines, each ended by a NUL */
};

/* `list` must not move afterwards: list->say points to it. */
void say_list_init(struct say_list *list);

/* The line after `line`, the first for NULL; NULL at the end. */
const char *say_list_next(const struct say_list *list, const char *line);

#endif
