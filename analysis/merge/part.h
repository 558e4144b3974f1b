/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part.h: the database that a merge is making. If the merge is interrupted, this database stays
 * beside its destination, and the next merge of the same files continues it.
 *
 *	run.db.merging          ranks so far, each in one transaction; table `input` lists them
 *	run.db.merging-journal  takes back the rank that was being merged
 *	run.db.merging-<host>-<pid>    where another process is at it
 *
 * The process that makes it holds a lock, which the kernel releases when the process ends. A merge
 * that finishes removes files of this name that nobody locks: killed merges left them. It removes
 * files of its own host only, since other hosts may not see the lock.
 */
#ifndef TRYST_MERGE_PART_H
#define TRYST_MERGE_PART_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/format/db/db.h"

struct merge_part {
	sqlite3 *db;
	char path[PATH_MAX];
	int lock;     /* descriptor */
	bool resumed; /* it has ranks of an interrupted merge */
};

/*
 * Opens the database that an interrupted merge into `path` left, if fits(db, context) returns true.
 * Otherwise makes an empty database with the schema. Returns 0, and *p has to be finished or
 * dropped; or a negative errno, printed.
 */
int merge_part_open(struct merge_part *p, const char *path,
	bool (*fits)(sqlite3 *db, void *context), void *context, const struct say *say);

/* Renames it to `path`, and closes it. 0, or a negative errno, printed, after removing it. */
int merge_part_finish(struct merge_part *p, const char *path, const struct say *say);

/* Closes and removes it. */
void merge_part_drop(struct merge_part *p);

#endif
