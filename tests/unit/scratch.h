/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch.h: a directory of a unit test's own, and what such tests do with files and SQL. */
#ifndef TRYST_SCRATCH_H
#define TRYST_SCRATCH_H

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/say.h"

/* "<directory>/<name>" in one of a few buffers that are used in turn. */
static __attribute__((noinline, unused)) const char *scratch_path(const char *dir, const char *name)
{
	static char path[8][PATH_MAX];
	static unsigned next;
	char *p = path[next++ % 8];

	if (snprintf(p, PATH_MAX, "%s/%s", dir, name) >= PATH_MAX)
		abort();
	return p;
}

static inline void scratch_remove(const char *dir)
{
	const struct dirent *entry;
	char below[PATH_MAX];
	const char *path;
	DIR *d = opendir(dir);

	while (d && (entry = readdir(d))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		path = scratch_path(dir, entry->d_name);
		if (unlink(path) != 0) {
			snprintf(below, sizeof(below), "%s", path);
			scratch_remove(below);
		}
	}
	if (d)
		closedir(d);
	rmdir(dir);
}

/* Makes an empty directory; its name goes to dir. Ends the program where that fails. */
static inline void scratch_make(char dir[PATH_MAX])
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, PATH_MAX, "%s/tryst-unit-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(dir)) {
		perror(dir);
		exit(1);
	}
}

static inline void scratch_write(const char *path, const void *data, size_t bytes)
{
	FILE *f = fopen(path, "we");

	if (!f || fwrite(data, 1, bytes, f) != bytes || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

/* All of a file, in memory to be freed. */
static inline uint8_t *scratch_read(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "re");
	uint8_t *data = NULL;
	struct stat st;

	if (f && fstat(fileno(f), &st) == 0) {
		*bytes = (size_t)st.st_size;
		data = malloc(*bytes + 1);
	}
	if (!data || fread(data, 1, *bytes, f) != *bytes) {
		perror(path);
		exit(1);
	}
	fclose(f);
	return data;
}

static inline int scratch_exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* The first column of the first row as a number; INT64_MIN where the statement fails. */
static inline int64_t scratch_sql(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = INT64_MIN;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
	else if (sqlite3_step(stmt) == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

/* The number of lines said, and whether one holds `word`. */
static inline int scratch_lines(const struct say_list *said)
{
	int n = 0;

	for (const char *line = NULL; (line = say_list_next(said, line));)
		n++;
	return n;
}

static inline int scratch_said(const struct say_list *said, const char *word)
{
	for (const char *line = NULL; (line = say_list_next(said, line));)
		if (strstr(line, word))
			return 1;
	return 0;
}

#endif
