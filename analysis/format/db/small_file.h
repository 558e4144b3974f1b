/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * small_file.h: reads the rows of a small SQLite file without SQLite (format:
 * https://www.sqlite.org/fileformat2.html).
 *
 * A run may have ten thousand ranks' files, each with a few hundred rows in fifty tables. Copied
 * through SQLite, they cost mostly the parsing of the same schema and the preparation of the same
 * statements for each file. Here a file is read at once and its rows go to a callback. Files may be
 * damaged in any way: a violation of the format ends the reading with -EINVAL. pages.h is for long
 * tables of integers.
 */
#ifndef TRYST_FORMAT_DB_SMALL_FILE_H
#define TRYST_FORMAT_DB_SMALL_FILE_H

#include <stddef.h>
#include <stdint.h>

struct small_file {
	uint8_t *data;
	uint32_t page_bytes, usable;
	uint32_t npages;
	uint32_t version; /* PRAGMA user_version */
	uint32_t application_id;
};

enum { IMAGE_COLUMNS = 32 };

enum value_kind { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };

struct small_value {
	enum value_kind kind;
	int64_t integer;
	double real;
	/* of a text or blob, not ended by a zero; valid until the callback returns */
	const char *text;
	uint32_t bytes;
};

/* Columns in the order in which the file has them: of tables WITHOUT ROWID the key comes first. */
struct small_row {
	int64_t id; /* rowid; 0 of tables WITHOUT ROWID */
	int n;
	struct small_value value[IMAGE_COLUMNS];
};

/*
 * Reads the file. 0; -EFBIG: it is longer than most_bytes; -EINVAL: not SQLite's, or incomplete,
 * since a log or a journal lies beside it; another negative errno.
 */
int small_file_open(const char *path, size_t most_bytes, struct small_file *out);

/* Does nothing for a zero-filled struct. */
void small_file_close(struct small_file *f);

/*
 * Calls each() for the rows of the table whose tree begins at page `root`, in their order. Page 1
 * is table sqlite_schema (type, name, tbl_name, rootpage, sql). Returns 0 at the end; the first
 * value other than 0 that each() returns; or -EINVAL if the file is damaged.
 */
int small_file_each(const struct small_file *f, uint32_t root,
	int (*each)(void *context, const struct small_row *r), void *context);

#endif
