/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * small_file.c: pages.c explains how a table is a tree of pages. In a table WITHOUT ROWID interior
 * nodes hold rows, too. Each follows the child that has the rows before it:
 *
 *	cell    interior: child | bytes | record        leaf: bytes | record
 *
 * A record too long for a page begins there and goes on in a chain of other pages.
 */
#include "analysis/format/db/small_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/format/db/sqlite_format.h"

enum { DEPTH_MAX = 12, LONGEST = 1 << 24 };

struct walk {
	const struct small_file *f;
	int (*each)(void *context, const struct small_row *r);
	void *context;
	uint32_t visited; /* pages; a tree has no more than its file */
	uint8_t *lengthy; /* a record that did not fit into its page */
	struct small_row record;
};

/*
 * False if rows are elsewhere: in a write-ahead log, or undone by a journal. False also if a
 * transaction ended while the file was read: it then counted up in the header. A transaction that
 * has not ended has a journal, so the journal is looked for first.
 */
static bool is_alone(const char *path, int fd, const uint8_t *head)
{
	char journal[PATH_MAX];
	uint8_t now[FILE_HEADER];

	return head[18] == 1 && head[19] == 1 &&
		snprintf(journal, sizeof(journal), "%s-journal", path) < (int)sizeof(journal) &&
		access(journal, F_OK) != 0 && file_read(fd, now, sizeof(now), 0) == sizeof(now) &&
		memcmp(now, head, sizeof(now)) == 0;
}

static int read_file(int fd, size_t most_bytes, struct small_file *f)
{
	struct stat st;
	size_t bytes;
	ssize_t n;

	if (fstat(fd, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size < FILE_HEADER)
		return -EINVAL;
	bytes = (size_t)st.st_size;
	if (bytes > most_bytes)
		return -EFBIG;
	f->data = calloc(1, bytes + SLACK);
	if (!f->data)
		return -ENOMEM;
	n = file_read(fd, f->data, bytes, 0);
	if (n != (ssize_t)bytes)
		return n < 0 ? (int)n : -EINVAL;
	f->page_bytes = get16(f->data + 16) == 1 ? 65536 : get16(f->data + 16);
	f->usable = f->page_bytes - f->data[20];
	f->version = get32(f->data + 60);
	f->application_id = get32(f->data + 68);
	if (memcmp(f->data, "SQLite format 3", 16) != 0 || f->page_bytes < 512 ||
		(f->page_bytes & (f->page_bytes - 1)) || f->usable < 480 || bytes % f->page_bytes ||
		get32(f->data + 28) != bytes / f->page_bytes)
		return -EINVAL;
	f->npages = (uint32_t)(bytes / f->page_bytes);
	return 0;
}

int small_file_open(const char *path, size_t most_bytes, struct small_file *out)
{
	int fd = file_open(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), rc;

	memset(out, 0, sizeof(*out));
	if (fd < 0)
		return -errno;
	rc = read_file(fd, most_bytes, out);
	if (rc == 0 && !is_alone(path, fd, out->data))
		rc = -EINVAL;
	close(fd);
	if (rc)
		small_file_close(out);
	return rc;
}

void small_file_close(struct small_file *f)
{
	free(f->data);
	memset(f, 0, sizeof(*f));
}

static const uint8_t *page_at(const struct small_file *f, uint32_t number)
{
	return number && number <= f->npages ? f->data + (size_t)(number - 1) * f->page_bytes :
					       NULL;
}

static void read_value(const uint8_t *p, uint64_t type, struct small_value *v)
{
	uint64_t bytes = type_bytes(type), number;

	*v = (struct small_value){ .kind = VALUE_NULL };
	if (type >= 12) {
		v->kind = type % 2 ? VALUE_TEXT : VALUE_BLOB;
		v->text = (const char *)p;
		v->bytes = (uint32_t)bytes;
	} else if (type == 8 || type == 9) {
		v->kind = VALUE_INTEGER;
		v->integer = type == 9;
	} else if (bytes) {
		memcpy(&number, p, sizeof(number));
		number = __builtin_bswap64(number);
		v->kind = type == TYPE_REAL ? VALUE_REAL : VALUE_INTEGER;
		v->integer = (int64_t)number >> (64 - 8 * bytes);
		memcpy(&v->real, &number, sizeof(v->real));
	}
}

/* The values of a record of that many bytes, behind which SLACK more can be read. */
static int read_record(struct walk *w, const uint8_t *p, uint64_t bytes)
{
	struct small_row *r = &w->record;
	const uint8_t *end = p + bytes, *head, *body;
	uint64_t length, type;

	r->n = 0;
	head = get_varint(p, &length);
	if (length > bytes || head > p + length)
		return -EINVAL;
	body = p + length;
	for (const uint8_t *stop = body; head < stop; r->n++) {
		head = get_varint(head, &type);
		if (r->n == IMAGE_COLUMNS || type_bytes(type) > (uint64_t)(end - body))
			return -EINVAL;
		read_value(body, type, &r->value[r->n]);
		body += type_bytes(type);
	}
	return w->each(w->context, r);
}

/* The record's first `here` bytes stand at p, the others in pages from `next` on. */
static int read_lengthy(
	struct walk *w, const uint8_t *p, uint64_t here, uint64_t bytes, uint32_t next)
{
	const struct small_file *f = w->f;
	uint32_t pages = 0;
	int rc = 0;

	w->lengthy = malloc(bytes + SLACK);
	if (!w->lengthy)
		return -ENOMEM;
	memset(w->lengthy + bytes, 0, SLACK);
	memcpy(w->lengthy, p, here);
	while (rc == 0 && here < bytes) {
		const uint8_t *page = page_at(f, next);
		uint64_t more = f->usable - 4 < bytes - here ? f->usable - 4 : bytes - here;

		if (!page || ++pages > f->npages) {
			rc = -EINVAL;
			break;
		}
		memcpy(w->lengthy + here, page + 4, more);
		here += more;
		next = get32(page);
	}
	if (rc == 0)
		rc = read_record(w, w->lengthy, bytes);
	free(w->lengthy);
	w->lengthy = NULL;
	return rc;
}

/* A cell behind its child: how much of its record is in the page follows from its length. */
static int read_cell(struct walk *w, const uint8_t *cell, const uint8_t *limit, bool index)
{
	uint64_t u = w->f->usable, bytes, id = 0, here, most, least;

	cell = get_varint(cell, &bytes);
	if (!index)
		cell = get_varint(cell, &id);
	w->record.id = (int64_t)id;
	if (cell > limit || bytes > LONGEST)
		return -EINVAL;
	most = index ? (u - 12) * 64 / 255 - 23 : u - 35;
	least = (u - 12) * 32 / 255 - 23;
	here = bytes;
	if (bytes > most) {
		here = least + (bytes - least) % (u - 4);
		here = here > most ? least : here;
	}
	if (here + (bytes > most ? 4 : 0) > (uint64_t)(limit - cell))
		return -EINVAL;
	return bytes > most ? read_lengthy(w, cell, here, bytes, get32(cell + here)) :
			      read_record(w, cell, bytes);
}

static int walk_tree(struct walk *w, uint32_t number, int depth)
{
	const uint8_t *page = page_at(w->f, number), *head, *limit;
	uint32_t cells, header;
	bool index, interior;
	int rc = 0;

	if (!page || depth == DEPTH_MAX || w->visited++ == w->f->npages)
		return -EINVAL;
	head = page + (number == 1 ? FILE_HEADER : 0);
	limit = page + w->f->usable;
	index = *head == INDEX_LEAF || *head == INDEX_INTERIOR;
	interior = *head == INTERIOR || *head == INDEX_INTERIOR;
	header = interior ? INTERIOR_HEADER : LEAF_HEADER;
	cells = get16(head + 3);
	if ((!index && *head != LEAF && *head != INTERIOR) || head + header + 2 * cells > limit)
		return -EINVAL;
	for (uint32_t i = 0; i < cells && rc == 0; i++) {
		const uint8_t *cell = page + get16(head + header + 2 * i);

		if (cell + 4 > limit)
			return -EINVAL;
		if (interior)
			rc = walk_tree(w, get32(cell), depth + 1);
		if (rc == 0 && (index || !interior))
			rc = read_cell(w, cell + (interior ? 4 : 0), limit, index);
	}
	return rc == 0 && interior ? walk_tree(w, get32(head + LEAF_HEADER), depth + 1) : rc;
}

int small_file_each(const struct small_file *f, uint32_t root,
	int (*each)(void *context, const struct small_row *r), void *context)
{
	struct walk w = { .f = f, .each = each, .context = context };

	return walk_tree(&w, root, 0);
}
