/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pack.h: archives of a run: a database as a compressed file.
 *
 *	run.db --pack_write()--> NAME.tryst.gz --pack_read()--> run.db
 *
 * Archives may come from anyone. pack_read() bounds its output, and db_open() checks the rest.
 */
#ifndef TRYST_PACK_PACK_H
#define TRYST_PACK_PACK_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/base/say.h"

/* Ends the name of an archive. */
#define PACK_SUFFIX ".tryst.gz"

#define PACK_BYTES_MAX (INT64_C(4) << 30) /* of a database in an archive */

struct pack_options {
	bool names;        /* with paths, arguments and names */
	int64_t bytes_max; /* of the archive */
};

/* NULL, or why this build has no archives. */
extern const char *const pack_absent;

/*
 * Writes the analyzed run.db as archive `target`, which must not exist. *left_out: the number of
 * operations without a row in it. Returns 0; -EFBIG if the archive cannot be made small enough; or
 * another negative errno. Errors are printed.
 */
int pack_write(sqlite3 *db, const char *target, const struct pack_options *o, const struct say *say,
	int64_t *left_out);

/* Does the file begin as archives do? */
bool pack_is_archive(const char *path);

/*
 * Writes the database of archive `path` to `to`, which must not exist. Returns 0; -EINVAL: the
 * archive is damaged, or is none of tryst's; -EFBIG: it holds more than PACK_BYTES_MAX; or another
 * negative errno. Prints errors, and removes `to` after one.
 */
int pack_read(const char *path, const char *to, const struct say *say);

#endif
