/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h: all rank files of a run in one database, run.db.
 *
 * run.db has the schema of a rank's file, so each query on one rank also works for all. Two
 * more tables tell from which files it was made:
 *
 *	input(rank, file, file_bytes, mtime_ns, state, reason)
 *		state: whole | unfinished (the rank was running) | partial (damaged: used as far
 *		as it goes) | left_out (cannot be used: reason)
 *	merge_info(key, value)	max_ops of the merge; clocks: 1 once they are corrected
 */
#ifndef TRYST_MERGE_MERGE_H
#define TRYST_MERGE_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/format/db/db.h"

/* If a run has more ops, only those that waited or are pending are merged. */
enum { MERGE_MAX_OPS = 10000000 };

/*
 * In runs of at most so many ranks, the merge writes the names of callsites into the ranks' own
 * files. A file takes 5 ms of CPU time, five times as long as its merge, and up to 20 ms of the
 * disk.
 */
enum { MERGE_FILL_RANKS = 64 };

struct merge_result {
	uint32_t ranks;   /* in run.db */
	uint32_t partial; /* damaged, used as far as they go */
	uint32_t left_out;
	uint64_t ops_left_out;
};

/*
 * Merges the rank files of `list` into the database `path`, which it replaces once the new one is
 * complete. An interrupted merge is continued (part.h). max_ops: MERGE_MAX_OPS, or fewer in tests.
 * Returns 0, also if ranks are damaged or left out (merge_tell() names them); -ENODATA if no rank
 * could be used; or another negative errno, printed.
 */
int merge_ranks(const struct db_ranks *list, const char *path, uint64_t max_ops,
	const struct say *say, struct merge_result *result);

/* Says why ranks were left out or are damaged, one line for each. */
void merge_tell(sqlite3 *db, const struct say *say);

/*
 * True if `db`, an open run.db, was made from these files in their present state, and with this
 * max_ops. max_ops 0: any.
 */
bool merge_is_current(sqlite3 *db, const struct db_ranks *list, uint64_t max_ops);

#endif
