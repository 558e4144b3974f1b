/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part.h: the database that a merge is making. Where the merge is interrupted it stays beside
 * its destination, and the next merge of the same files goes on with it.
 *
 *	run.db.merging          ranks so far, each in one transaction; table `input` lists them
 *	run.db.merging-journal  takes back the rank that was being merged
 *	run.db.merging-<host>-<pid>    where another process is at it
 *
 * Who makes one holds a lock on it, which the kernel gives back when it ends: so the next merge
 * that comes to its end removes what killed ones left under such a name. Of its own host alone,
 * since a lock need not be known on others.
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
	bool resumed; /* some ranks are there */
};

/*
 * Opens what an interrupted merge into `path` left, where `fits` says that it is of use; else makes
 * an empty database with the schema. Returns 0 or a negative errno, said.
 */
int merge_part_open(struct merge_part *p, const char *path,
	bool (*fits)(sqlite3 *db, void *context), void *context, const struct say *say);

/* Renames it to `path`. 0 or a negative errno, said; then it is gone. */
int merge_part_finish(struct merge_part *p, const char *path, const struct say *say);

/* Removes it. */
void merge_part_drop(struct merge_part *p);

#endif
