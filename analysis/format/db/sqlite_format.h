/* SPDX-License-Identifier: BSD-3-Clause */
/* sqlite_format.h: numbers as SQLite's files hold them, for pages.c and small_file.c. */
#ifndef TRYST_FORMAT_DB_SQLITE_FORMAT_H
#define TRYST_FORMAT_DB_SQLITE_FORMAT_H

#include <stdint.h>

enum {
	FILE_HEADER = 100,
	LEAF = 0x0d,
	INTERIOR = 0x05, /* nodes of tables */
	INDEX_LEAF = 0x0a,
	INDEX_INTERIOR = 0x02, /* of tables WITHOUT ROWID */
	LEAF_HEADER = 8,
	INTERIOR_HEADER = 12,
	VARINT_MAX = 9,
	SLACK = 16, /* behind a page: numbers are read eight bytes at a time */
	TYPE_REAL = 7,
	TYPE_TEXT = 13 /* and odd ones above: text of (type - 13) / 2 bytes */
};

static inline uint32_t get16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t get32(const uint8_t *p)
{
	return get16(p) << 16 | get16(p + 2);
}

/* Bytes that follow may be anything; SLACK holds what may be read too far. */
static inline const uint8_t *get_varint(const uint8_t *p, uint64_t *value)
{
	uint64_t v = *p++;

	if (v >= 0x80) {
		v &= 0x7f;
		for (int i = 1; i < VARINT_MAX; i++) {
			if (i == VARINT_MAX - 1) {
				v = v << 8 | *p++;
				break;
			}
			v = v << 7 | (*p & 0x7f);
			if (*p++ < 0x80)
				break;
		}
	}
	*value = v;
	return p;
}

/* Bytes of a value of that type. */
static inline uint64_t type_bytes(uint64_t type)
{
	static const uint8_t bytes[12] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0 };

	return type < 12 ? bytes[type] : (type - 12) / 2;
}

#endif
