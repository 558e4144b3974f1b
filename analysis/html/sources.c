/* SPDX-License-Identifier: BSD-3-Clause */
/* sources.c: reads each file once, in the order of the callsites in it (sources.h). */
#include <config.h>

#include "analysis/html/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/file.h"
#include "analysis/format/db/db.h"
#include "analysis/html/queries.h"
#include "analysis/text/table.h"

enum { LINE_BYTES = 400 };

/* The file that was read last. */
struct source {
	char *path;
	char *text; /* ends with NUL; NULL: it cannot be read */
};

static bool is_source(const char *path)
{
	static const char *const ends[] = { ".c", ".cc", ".cpp", ".cxx", ".c++", ".cu", ".h", ".hh",
		".hpp", ".hxx", ".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08", ".ftn", ".py",
		".jl", ".rs", ".inc" };
	const char *name = strrchr(path, '/');
	const char *end = name ? strrchr(name, '.') : NULL;

	for (size_t i = 0; end && path[0] == '/' && i < sizeof(ends) / sizeof(*ends); i++)
		if (strcasecmp(end, ends[i]) == 0)
			return true;
	return false;
}

/* The text of a source file, to be freed. NULL: it cannot be read, or is no text. */
static char *read_source(const char *path)
{
	struct stat st;
	int fd = is_source(path) ? file_open_regular(AT_FDCWD, path, O_RDONLY, &st) : -1;
	char *text = NULL;
	ssize_t n = -1;

	if (fd < 0)
		return NULL;
	if (st.st_size <= SOURCE_BYTES_MAX)
		text = malloc((size_t)st.st_size + 1);
	if (text)
		n = file_read(fd, text, (size_t)st.st_size, 0);
	close(fd);
	if (n > 0 && !memchr(text, '\0', (size_t)n)) {
		text[n] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

static int take_file(struct source *s, const char *path)
{
	if (s->path && strcmp(s->path, path) == 0)
		return 0;
	free(s->path);
	free(s->text);
	s->path = strdup(path);
	s->text = s->path ? read_source(path) : NULL;
	return s->path ? 0 : -ENOMEM;
}

/* Line `n` of the text, from 1 on; NULL: it has fewer. */
static const char *line_of(const char *text, int64_t n)
{
	for (int64_t i = 1; text && *text && i < n; i++) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text && *text ? text : NULL;
}

static void write_lines(FILE *out, const char *at)
{
	for (int i = 0; at && *at && i <= 2 * SOURCE_AROUND; i++) {
		const size_t bytes = strcspn(at, "\r\n");
		char line[LINE_BYTES];

		snprintf(line, sizeof(line), "%.*s",
			(int)(bytes < LINE_BYTES ? bytes : LINE_BYTES - 1), at);
		fputs(i ? "," : "", out);
		json_string(out, line);
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
}

int sources_write(FILE *out, sqlite3 *db)
{
	struct source source = { 0 };
	sqlite3_stmt *s = NULL;
	bool any = false;
	int rc = db_prepare(db, sql_html_sources, &s);

	fputs("{", out);
	if (!rc)
		sqlite3_bind_int(s, 1, SOURCE_PLACES);
	while (!rc && (rc = db_step(s)) > 0) {
		const char *place = (const char *)sqlite3_column_text(s, 0);
		const char *path = (const char *)sqlite3_column_text(s, 1);
		const int64_t line = sqlite3_column_int64(s, 2);
		const int64_t first = line > SOURCE_AROUND ? line - SOURCE_AROUND : 1;

		rc = place && path ? take_file(&source, path) : 0;
		if (rc || !place || !path || !line_of(source.text, line))
			continue;
		fputs(any ? ",\n" : "\n", out);
		json_string(out, place);
		fprintf(out, ": {\"first\": %" PRId64 ", \"line\": %" PRId64 ", \"text\": [", first,
			line);
		write_lines(out, line_of(source.text, first));
		fputs("]}", out);
		any = true;
	}
	fputs("}", out);
	sqlite3_finalize(s);
	free(source.path);
	free(source.text);
	return rc;
}
