/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h: all rank files of a run in one database, run.db.
 *
 * run.db has the schema of a rank's file, so every query on one rank answers for all. One two
 * tables more tell what it was made from:
 *
 *	input(rank, file, file_bytes, mtime_ns, state, reason)
 *		state: whole | unfinished (the rank was running) | partial (damaged: used as far
 *		as it goes) | left_out (cannot be used: reason)
 *	merge_info(key, value)	max_ops, as it was merged with; clocks: 1 once they are settled
 */
#ifndef TRYST_MERGE_MERGE_H
#define TRYST_MERGE_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/format/db/db.h"

/* Beyond this only ops that waited, or are pending, are taken. */
enum { MERGE_MAX_OPS = 10000000 };

struct merge_result {
	uint32_t ranks;   /* in run.db */
	uint32_t partial; /* damaged, used as far as they go */
	uint32_t left_out;
	uint64_t ops_left_out;
};

/*
 * Merges the rank files of `list` into the database `path` (made under another name, renamed when
 * whole, replacing what was there; a merge that was interrupted is gone on with: part.h).
 * `max_ops`: MERGE_MAX_OPS, smaller in tests. Returns 0
 * also where ranks are damaged or left out (merge_tell() says which); -ENODATA if no rank could be
 * used, and another negative errno, after telling `say` why.
 */
int merge_ranks(const struct db_ranks *list, const char *path, uint64_t max_ops,
	const struct say *say, struct merge_result *result);

/* Says of each rank that was left out, or is damaged, why: a line a rank. */
void merge_tell(sqlite3 *db, const struct say *say);

/*
 * True where `db` (an open run.db) was made from these files as they are now, with this max_ops or
 * (0) any.
 */
bool merge_is_current(sqlite3 *db, const struct db_ranks *list, uint64_t max_ops);

#endif
