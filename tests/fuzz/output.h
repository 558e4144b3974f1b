/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h: what must hold of anything that tryst prints, whatever it read. It shares no code
 * with tryst.
 *
 *	output_begin() -> FILE to print to -> output_end(): aborts where a format is not what it
 *	should be
 */
#ifndef TRYST_FUZZ_OUTPUT_H
#define TRYST_FUZZ_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum output_kind { OUTPUT_TEXT, OUTPUT_CSV, OUTPUT_JSON };

/* Bytes of the character at p[0..n), and which one; 0: no UTF-8. */
static inline size_t output_character(const unsigned char *p, size_t n, unsigned long *c)
{
	static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t bytes = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;

	if (bytes == 0 || bytes > n)
		return 0;
	*c = bytes == 1 ? *p : *p & (0xffu >> (bytes + 1));
	for (size_t i = 1; i < bytes; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		*c = *c << 6 | (p[i] & 63);
	}
	return *c < least[bytes] || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff) ? 0 : bytes;
}

/* UTF-8 in which nothing moves the cursor, but newlines; in CSV tabs, too. */
static inline bool output_is_quiet(const char *text, size_t n, bool tabs)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned long c;

	for (size_t bytes; n > 0; p += bytes, n -= bytes) {
		bytes = output_character(p, n, &c);
		if (bytes == 0 || (c < 0x20 && c != '\n' && !(tabs && c == '\t')) ||
			(c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
			(c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
			return false;
	}
	return true;
}

/* ---- JSON, as RFC 8259 has it; each function returns what is behind, NULL: it is none ---- */

enum { JSON_DEPTH = 32 };

static inline const char *json_space(const char *p)
{
	return p ? p + strspn(p, " \t\r\n") : NULL;
}

/* Unescaped characters are UTF-8: output_is_quiet(). */
static inline const char *json_skip_string(const char *p)
{
	if (!p || *p++ != '"')
		return NULL;
	for (; *p != '"'; p++) {
		if ((unsigned char)*p < 0x20)
			return NULL;
		if (*p != '\\')
			continue;
		if (*++p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") < 4)
			return NULL;
		if (!*p || !strchr("\"\\/bfnrtu", *p))
			return NULL;
	}
	return p + 1;
}

static inline const char *json_skip_digits(const char *p)
{
	size_t n = p ? strspn(p, "0123456789") : 0;

	return n ? p + n : NULL;
}

static inline const char *json_skip_number(const char *p)
{
	p += *p == '-';
	p = *p == '0' ? p + 1 : json_skip_digits(p);
	if (p && *p == '.')
		p = json_skip_digits(p + 1);
	if (p && (*p == 'e' || *p == 'E'))
		p = json_skip_digits(p + 1 + (p[1] == '+' || p[1] == '-'));
	return p;
}

static inline const char *json_skip(const char *p, int depth);

/* An object's or an array's rest, behind its first character. */
static inline const char *json_skip_members(const char *p, char end, int depth)
{
	p = json_space(p);
	if (p && *p == end)
		return p + 1;
	while (p) {
		if (end == '}') {
			p = json_space(json_skip_string(p));
			if (!p || *p++ != ':')
				return NULL;
		}
		p = json_skip(p, depth - 1);
		if (!p || *p == end)
			return p ? p + 1 : NULL;
		p = *p == ',' ? json_space(p + 1) : NULL;
	}
	return NULL;
}

static inline const char *json_skip(const char *p, int depth)
{
	static const char *const words[] = { "null", "true", "false" };

	p = json_space(p);
	if (!p || depth == 0)
		return NULL;
	if (*p == '"')
		return json_space(json_skip_string(p));
	if (*p == '{')
		return json_space(json_skip_members(p + 1, '}', depth));
	if (*p == '[')
		return json_space(json_skip_members(p + 1, ']', depth));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strncmp(p, words[i], strlen(words[i])) == 0)
			return json_space(p + strlen(words[i]));
	return json_space(json_skip_number(p));
}

static inline bool output_is_json(const char *text)
{
	const char *end = json_skip(text, JSON_DEPTH);

	return end && *end == '\0';
}

/* ---- what is printed ---- */

struct output {
	FILE *stream;
	char *text;
	size_t bytes;
};

static inline FILE *output_begin(struct output *o)
{
	o->stream = open_memstream(&o->text, &o->bytes);
	if (!o->stream)
		abort();
	return o->stream;
}

/* Of text[bytes], behind which stands a NUL. */
static inline void output_check(const char *text, size_t bytes, enum output_kind kind)
{
	if (output_is_quiet(text, bytes, kind == OUTPUT_CSV) &&
		(kind != OUTPUT_JSON || (strlen(text) == bytes && output_is_json(text))))
		return;
	fwrite(text, 1, bytes, stderr);
	abort();
}

static inline void output_end(struct output *o, enum output_kind kind)
{
	fclose(o->stream);
	output_check(o->text, o->bytes, kind);
	free(o->text);
}

#endif
