/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h: text that grows. */
#ifndef TRYST_BASE_TEXT_H
#define TRYST_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *at; /* ended by NUL; NULL: nothing was added */
	size_t length;
	uint32_t room;
	bool failed; /* memory was short: something is missing */
};

/* Append to the text. Without memory they set `failed`. */
void text_add(struct text *to, const char *text);

void text_addf(struct text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a word of a shell command, in quotes if it needs them. */
void text_add_quoted(struct text *to, const char *word);

/* Frees the text, which is then empty. */
void text_release(struct text *text);

#endif
