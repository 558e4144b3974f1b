/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.h: writes the rows of each rank of a run that left only its ring and spool. */
#ifndef TRYST_DATASET_COLLECT_H
#define TRYST_DATASET_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/base/temporary.h"
#include "analysis/format/db/db.h"

struct collect_result {
	uint32_t ranks;      /* found in the directory */
	uint32_t written;    /* rank files made or replaced */
	uint32_t unfinished; /* of these, ranks that still run, or may */
	uint32_t failed;     /* errors of ranks; a line named each */
	uint64_t ops;        /* in the files written */
	uint64_t pending;
};

struct collect_options {
	bool ended;    /* the user says that the job has ended */
	bool name_all; /* name callsites also of ranks that wrote their rows themselves */
	/* made for ranks whose own directory cannot be written or is full, or NULL */
	struct temporary *scratch;
};

/*
 * Writes the rank file of each rank of `list` that has a ring or spool, and names the callsites in
 * the files written. If a rank's directory cannot be written or is full, its ring and spool are
 * copied to options->scratch, which is made if necessary. The rank file is made there, and
 * list->rank[i].dir points there. After a failure it prints a line and goes on with the next rank.
 */
void collect_ranks(struct db_ranks *list, const struct collect_options *options,
	const struct say *say, struct collect_result *result);

/* True for negative errnos that another directory avoids: full, or read-only. */
bool collect_lacks_room(int rc);

/* True if files can be made in `dir`. */
bool collect_may_write(const char *dir);

/* Says that no rank has files in `dir`. */
void collect_say_none(const char *dir, const struct say *say);

#endif
