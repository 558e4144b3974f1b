/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dataset.h: what a user names, a run's directory or a database, opened for queries.
 *
 *	DIR  --collect--> rank files --merge--> run.db --open--> db
 *	rank-000003.db, run.db ------------------------open--> db
 *
 * Collecting and merging are done when they are needed. Where DIR cannot be written or is full,
 * they are done in a temporary directory, which dataset_close() removes.
 */
#ifndef TRYST_DATASET_DATASET_H
#define TRYST_DATASET_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/base/temporary.h"
#include "analysis/format/db/db.h"

struct dataset_options {
	const char *db;   /* where to merge to; NULL: DIR/run.db */
	bool ended;       /* the user says the job has ended */
	bool fresh;       /* merge also if run.db is up to date */
	bool tells;       /* the caller tells what is wrong with which rank (a report) */
	uint64_t max_ops; /* of merge_ranks(); 0: its default, or as it was merged before */
};

struct dataset {
	sqlite3 *db; /* with table `input` and temp tables `started` and `world` */
	char *dir;   /* NULL: a database was named, not a directory */
	char *path;  /* of the database */
	struct temporary scratch;
	bool temporary;  /* so is the database: it goes with `scratch` */
	bool empty;      /* no rank has left anything; db is empty */
	bool incomplete; /* so it is, or a rank is missing, damaged or left out */
};

/*
 * Opens `path`. Returns 0, or a negative errno after saying why. A directory in which nothing was
 * recorded although `tryst run` was there opens with `empty` set.
 */
int dataset_open(const char *path, const struct dataset_options *options, const struct say *say,
	struct dataset *out);

/* Zero-filled ones do no harm. */
void dataset_close(struct dataset *d);

#endif
