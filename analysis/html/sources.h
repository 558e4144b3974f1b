/* SPDX-License-Identifier: BSD-3-Clause */
/* sources.h: lines of the program's source around its callsites, for the page. */
#ifndef TRYST_HTML_SOURCES_H
#define TRYST_HTML_SOURCES_H

#include <sqlite3.h>
#include <stdio.h>

enum {
	SOURCE_AROUND = 5,         /* lines before and behind a callsite */
	SOURCE_PLACES = 1000,      /* callsites at most */
	SOURCE_BYTES_MAX = 4 << 20 /* of a file that is read */
};

/*
 * Writes a JSON object with an entry for each place of the report whose file can be read: "first",
 * the number of the first line, "line", that of the callsite, and "text", the lines. A database may
 * come from anyone: only absolute paths with a suffix of source files are read. Returns 0 or a
 * negative errno.
 */
int sources_write(FILE *out, sqlite3 *db);

#endif
