/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dataset.h: opens a run's directory or a database for queries.
 *
 *	DIR  --collect--> rank files --merge--> run.db --open--> db
 *	rank-000003.db, run.db ------------------------open--> db
 *	NAME.tryst.gz -------------unpack--> run.db ---open--> db
 *
 * Collects and merges if necessary. If DIR cannot be written or is full, this happens in a
 * temporary directory, which dataset_close() removes. An archive is also unpacked into one.
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
	bool analyzes;    /* no query of the caller reads off_cpu_row, so it is not checked */
	bool tells;       /* the caller names damaged and missing ranks itself (a report) */
	uint64_t max_ops; /* for merge_ranks(); 0: that of the present run.db, else the default */
};

struct dataset {
	sqlite3 *db; /* with table `input` and temp tables `started` and `world` */
	char *dir;   /* NULL: a database was named, not a directory */
	char *path;  /* of the database */
	struct temporary scratch;
	bool temporary;  /* the database is in `scratch`, and removed with it */
	bool empty;      /* no rank left a file; db is empty */
	bool incomplete; /* it is empty, or a rank is missing, damaged or left out */
};

/*
 * Opens `path`. Returns 0, and dataset_close() releases it; or a negative errno, printed. A
 * directory in which `tryst run` started programs, but none was recorded, opens with `empty` set.
 */
int dataset_open(const char *path, const struct dataset_options *options, const struct say *say,
	struct dataset *out);

/* Does nothing for a zero-filled struct. */
void dataset_close(struct dataset *d);

#endif
