/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c: a table is a tree of pages; leaves have the rows, as records.
 *
 *	page    type | - | cells | - | - | right-most child (interior) | offsets |
 *		... cells
 *	cell    interior: child | last id below it        leaf: bytes | id | record
 *	record  bytes of its head | a type each column | ... values, big-endian
 *
 * The first column of our tables is the id, whose place in the record is empty.
 */
#include "analysis/format/db/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/format/db/sqlite_format.h"

enum { SCHEMA_NAME = 1, SCHEMA_ROOT = 3 }; /* columns of sqlite_schema */

/* `bytes` of them, one at least. */
static inline int64_t get_signed(const uint8_t *p, uint64_t bytes)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return (int64_t)__builtin_bswap64(v) >> (64 - 8 * bytes);
}

static inline int64_t get_integer(const uint8_t *p, uint64_t type)
{
	if (type == 0 || type == TYPE_REAL || type > 9)
		return ROW_NULL;
	return type < TYPE_REAL ? get_signed(p, type_bytes(type)) : type == 9;
}

int pages_open(const char *path, struct pages_file *out)
{
	uint8_t head[FILE_HEADER];
	struct pages_file f = { .fd = file_open_regular(
					AT_FDCWD, path, O_RDONLY | O_NOFOLLOW, NULL) };
	struct stat st;
	int rc = 0;

	memset(out, 0, sizeof(*out));
	if (f.fd < 0)
		return -errno;
	if (fstat(f.fd, &st) != 0)
		rc = -errno;
	else if (!S_ISREG(st.st_mode) || file_read(f.fd, head, sizeof(head), 0) != sizeof(head) ||
		memcmp(head, "SQLite format 3", 16) != 0 || head[18] != 1 || head[19] != 1)
		rc = -EINVAL;
	if (!rc) {
		f.page_bytes = get16(head + 16) == 1 ? 65536 : get16(head + 16);
		f.usable = f.page_bytes - head[20];
		f.version = get32(head + 60);
		if (f.page_bytes < 512 || (f.page_bytes & (f.page_bytes - 1)) || f.usable < 480)
			rc = -EINVAL;
	}
	if (!rc) {
		f.npages = (uint32_t)((uint64_t)st.st_size / f.page_bytes);
		f.page = calloc(1, f.page_bytes + SLACK);
		rc = f.page ? 0 : -ENOMEM;
	}
	if (rc)
		close(f.fd);
	else
		*out = f;
	return rc;
}

void pages_close(struct pages_file *f)
{
	if (f->page)
		close(f->fd);
	free(f->page);
	memset(f, 0, sizeof(*f));
}

/* Reads the page, if it is not there. 0 or a negative errno. */
static int load(struct pages_file *f, uint32_t number)
{
	ssize_t n;

	if (f->number == number)
		return 0;
	if (number == 0 || number > f->npages)
		return -EINVAL;
	f->number = 0;
	n = file_read(f->fd, f->page, f->page_bytes, (uint64_t)(number - 1) * f->page_bytes);
	if (n < 0)
		return (int)n;
	if (n != (ssize_t)f->page_bytes)
		return -EINVAL;
	f->number = number;
	return 0;
}

/* The header of the tree's node in the page at hand. */
static const uint8_t *node(const struct pages_file *f)
{
	return f->page + (f->number == 1 ? FILE_HEADER : 0);
}

/* The number of the node's cells. UINT32_MAX: the page is not part of a table. */
static uint32_t count_cells(const struct pages_file *f)
{
	const uint8_t *h = node(f);
	uint32_t cells = get16(h + 3), header = *h == LEAF ? LEAF_HEADER : INTERIOR_HEADER;

	if ((*h != LEAF && *h != INTERIOR) || (h - f->page) + header + 2 * cells > f->usable)
		return UINT32_MAX;
	return cells;
}

/* Cell i; NULL: it is not in the page. */
static inline const uint8_t *cell_at(const struct pages_file *f, uint32_t i)
{
	const uint8_t *h = node(f);
	uint32_t at = get16(h + (*h == LEAF ? LEAF_HEADER : INTERIOR_HEADER) + 2 * i);

	return at + 4 <= f->usable ? f->page + at : NULL;
}

/* Which child of the node has the first id above `after`. */
static uint32_t child_for(const struct pages_file *f, uint32_t cells, int64_t after)
{
	uint32_t i = 0;

	for (; i < cells; i++) {
		const uint8_t *cell = cell_at(f, i);
		uint64_t id = 0;

		if (cell)
			get_varint(cell + 4, &id);
		if ((int64_t)id > after)
			break;
	}
	return i;
}

static uint32_t child_at(const struct pages_file *f, uint32_t cells, uint32_t i)
{
	const uint8_t *cell = i < cells ? cell_at(f, i) : node(f) + LEAF_HEADER;

	return cell ? get32(cell) : 0;
}

void pages_seek(struct pages_cursor *c, uint32_t root, int64_t after)
{
	*c = (struct pages_cursor){ .depth = 1, .last = after };
	c->at[0].page = root;
}

/*
 * Makes the page at hand the leaf that holds the cursor's next cell. 1; 0: the table has no more;
 * a negative errno.
 */
static int find_leaf(struct pages_file *f, struct pages_cursor *c)
{
	while (c->depth) {
		uint32_t depth = c->depth - 1, cells, *next = &c->at[depth].next;
		int rc = load(f, c->at[depth].page);

		if (rc)
			return rc;
		cells = count_cells(f);
		if (cells == UINT32_MAX)
			return -EINVAL;
		if (*node(f) == LEAF) {
			if (*next < cells)
				return 1;
			c->depth--;
			continue;
		}
		/* *next is 0 if the page is new; so it counts children from 1 */
		if (*next == 0)
			*next = child_for(f, cells, c->last) + 1;
		if (*next > cells + 1) {
			c->depth--;
			continue;
		}
		if (c->depth == PAGES_DEPTH || ++c->visited > f->npages)
			return -EINVAL;
		c->at[c->depth].page = child_at(f, cells, (*next)++ - 1);
		c->at[c->depth++].next = 0;
	}
	return 0;
}

uint64_t pages_count(struct pages_file *f, uint32_t root, uint64_t most)
{
	struct pages_cursor c;
	uint64_t rows = 0;

	pages_seek(&c, root, INT64_MIN);
	while (rows <= most && find_leaf(f, &c) > 0) {
		rows += count_cells(f);
		c.depth--;
	}
	return rows;
}

/* The values of a record in [p, end); false: it does not fit there. */
static bool read_record(const uint8_t *p, const uint8_t *end, int columns, int64_t *value)
{
	const uint8_t *head, *body, *start = p;
	uint64_t bytes, type;
	int i = 0;

	head = get_varint(p, &bytes);
	if (bytes > (uint64_t)(end - start))
		return false;
	body = start + bytes;
	for (const uint8_t *stop = body; head < stop && i < columns; i++) {
		head = get_varint(head, &type);
		bytes = type_bytes(type);
		if (bytes > (uint64_t)(end - body))
			return false;
		/* most values are numbers of one byte or more */
		value[i] = type - 1 < TYPE_REAL - 1 ? get_signed(body, bytes) :
						      get_integer(body, type);
		body += bytes;
	}
	for (; i < columns; i++)
		value[i] = ROW_NULL;
	return true;
}

/* The record of a leaf's cell, as far as it lies in the page; false: it begins elsewhere. */
static bool read_cell(const struct pages_file *f, const uint8_t *cell, uint64_t *id,
	const uint8_t **record, const uint8_t **end)
{
	const uint8_t *limit = f->page + f->usable;
	uint64_t bytes;

	if (!cell)
		return false;
	cell = get_varint(cell, &bytes);
	*record = get_varint(cell, id);
	if (*record > limit)
		return false;
	*end = bytes > (uint64_t)(limit - *record) ? limit : *record + bytes;
	return true;
}

/* The root of `table` if this row of sqlite_schema (type, name, table, root, sql) is its; else 0.
 */
static uint32_t root_of(const uint8_t *record, const uint8_t *end, const char *table)
{
	uint64_t type, bytes;
	const uint8_t *head = get_varint(record, &bytes), *body;
	bool named = false;

	if (bytes > (uint64_t)(end - record))
		return 0;
	body = record + bytes;
	for (int i = 0; i <= SCHEMA_ROOT; i++) {
		head = get_varint(head, &type);
		bytes = type_bytes(type);
		if (bytes > (uint64_t)(end - body))
			return 0;
		if (i == SCHEMA_NAME)
			named = type >= TYPE_TEXT && type % 2 && bytes == strlen(table) &&
				memcmp(body, table, bytes) == 0;
		if (i == SCHEMA_ROOT && named)
			return (uint32_t)get_integer(body, type);
		body += bytes;
	}
	return 0;
}

uint32_t pages_root(struct pages_file *f, const char *table)
{
	struct pages_cursor c;
	uint32_t root = 0;

	pages_seek(&c, 1, INT64_MIN);
	while (!root && find_leaf(f, &c) > 0) {
		uint32_t cells = count_cells(f), *next = &c.at[c.depth - 1].next;

		while (*next < cells && !root) {
			const uint8_t *record, *end;
			uint64_t id;

			if (!read_cell(f, cell_at(f, (*next)++), &id, &record, &end))
				return 0;
			root = root_of(record, end, table);
		}
	}
	return root;
}

int pages_read(struct pages_file *f, struct pages_cursor *c, int columns, struct row *row,
	uint32_t room, uint32_t *got)
{
	int rc = 1;

	*got = 0;
	while (*got < room && (rc = find_leaf(f, c)) > 0) {
		uint32_t cells = count_cells(f), *next = &c->at[c->depth - 1].next;

		while (*next < cells && *got < room) {
			const uint8_t *record, *end;
			uint64_t id;

			if (!read_cell(f, cell_at(f, (*next)++), &id, &record, &end))
				return -EINVAL;
			if ((int64_t)id <= c->last) {
				/* the leaf begins before the place sought; behind it ids rise */
				if (c->started)
					return -EINVAL;
				continue;
			}
			if (!read_record(record, end, columns, row[*got].value))
				return -EINVAL;
			c->last = (int64_t)id;
			c->started = true;
			row[(*got)++].value[0] = (int64_t)id;
		}
	}
	return rc < 0 ? rc : 0;
}
