/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns.h: a column of integers for the page.
 *
 * A number is stored in groups of seven bits, the lowest group first; each byte but the last has
 * bit 7 set (LEB128). The bytes of a column are deflated (RFC 1950) where this build has zlib, then
 * base64.
 */
#ifndef TRYST_HTML_COLUMNS_H
#define TRYST_HTML_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct column {
	unsigned char *at;
	uint32_t n;
	uint32_t room;
	bool failed; /* memory was short: something is missing */
};

/* Adds a number >= 0. */
void column_add(struct column *c, uint64_t value);

/* Adds any number: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... */
void column_add_signed(struct column *c, int64_t value);

/*
 * Writes the column as a JSON string and releases it. Returns 0 or -ENOMEM.
 */
int column_write(FILE *out, struct column *c);

void column_release(struct column *c);

/* "deflate" or "none": how column_write() stores bytes. */
extern const char column_coding[];

#endif
