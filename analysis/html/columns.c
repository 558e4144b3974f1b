/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.c: integers in few bytes. */
#include <config.h>

#include "analysis/html/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "analysis/base/array.h"

void column_add(struct column *c, uint64_t value)
{
	do {
		if (c->failed || array_room(&c->at, 1, &c->room, c->n)) {
			c->failed = true;
			return;
		}
		c->at[c->n++] = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
		value >>= 7;
	} while (value);
}

void column_add_signed(struct column *c, int64_t value)
{
	column_add(c, value < 0 ? 2 * (uint64_t) - (value + 1) + 1 : 2 * (uint64_t)value);
}

void column_release(struct column *c)
{
	free(c->at);
	*c = (struct column){ 0 };
}

static void write_base64(FILE *out, const unsigned char *at, size_t bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < bytes; i += 3) {
		uint32_t group = (uint32_t)at[i] << 16;

		group |= i + 1 < bytes ? (uint32_t)at[i + 1] << 8 : 0;
		group |= i + 2 < bytes ? (uint32_t)at[i + 2] : 0;
		putc(digits[group >> 18], out);
		putc(digits[group >> 12 & 63], out);
		putc(i + 1 < bytes ? digits[group >> 6 & 63] : '=', out);
		putc(i + 2 < bytes ? digits[group & 63] : '=', out);
	}
}

#ifdef HAVE_ZLIB
const char column_coding[] = "deflate";

static int deflate_column(struct column *c)
{
	uLongf bytes = compressBound(c->n);
	unsigned char *packed = malloc(bytes);

	if (!packed || compress2(packed, &bytes, c->at, c->n, 9) != Z_OK) {
		free(packed);
		return -ENOMEM;
	}
	free(c->at);
	c->at = packed;
	c->n = (uint32_t)bytes;
	return 0;
}
#else
const char column_coding[] = "none";

static int deflate_column(struct column *c)
{
	(void)c;
	return 0;
}
#endif

int column_write(FILE *out, struct column *c)
{
	int rc = c->failed ? -ENOMEM : 0;

	if (!rc && c->n)
		rc = deflate_column(c);
	putc('"', out);
	if (!rc)
		write_base64(out, c->at, c->n);
	putc('"', out);
	column_release(c);
	return rc;
}
