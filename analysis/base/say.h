/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * say.h: passes messages from code that may not print to its caller.
 *
 * analysis/format is linked into the preloaded library and into the command. It gives its messages
 * to a `struct say` of the caller, a line at a time, without a newline.
 */
#ifndef TRYST_BASE_SAY_H
#define TRYST_BASE_SAY_H

#include <stddef.h>

struct say {
	/* NULL: messages are dropped. `text` is valid during the call only. */
	void (*line)(void *context, const char *text);
	void *context;
};

/* Says one line of at most 1023 bytes; longer ones are cut. `say` may be NULL. No malloc. */
void say_line(const struct say *say, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keeps lines for later, in fixed memory. Lines that do not fit are counted. */
struct say_list {
	struct say say;  /* pass &list.say as the receiver of messages */
	size_t used;     /* bytes of text[] in use */
	unsigned lost;   /* lines that did not fit */
	char text[4032]; /* lines, each ended by a NUL */
};

/* `list` must not move afterwards: list->say points to it. */
void say_list_init(struct say_list *list);

/* The line after `line`, the first for NULL; NULL at the end. */
const char *say_list_next(const struct say_list *list, const char *line);

#endif
