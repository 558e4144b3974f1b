/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.h: rows for every rank of a run that left only its ring and spool. */
#ifndef TRYST_DATASET_COLLECT_H
#define TRYST_DATASET_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/base/temporary.h"
#include "analysis/format/db/db.h"

struct collect_result {
	uint32_t ranks;      /* found in the directory */
	uint32_t written;    /* rank files made or made anew */
	uint32_t unfinished; /* of these, ranks that still run, or may */
	uint32_t failed;     /* each was named */
	uint64_t ops;        /* in the files written */
	uint64_t pending;
};

struct collect_options {
	bool ended;    /* the user's word that the job has ended */
	bool name_all; /* name callsites also of ranks that wrote their rows themselves */
	/* made for ranks whose own directory cannot be written or is full, or NULL */
	struct temporary *scratch;
};

/*
 * Writes the rank file of each rank of `list` that has a ring or spool, and names the callsites in
 * the files written. Where a rank's directory cannot be written or has no room, its ring and spool
 * are copied to options->scratch, made when it is needed, and the rank file is made there;
 * list->rank[i].dir then points there. Always goes on to the next rank.
 */
void collect_ranks(struct db_ranks *list, const struct collect_options *options,
	const struct say *say, struct collect_result *result);

/* True for errors that another directory can help against: full, or only to be read. */
bool collect_lacks_room(int rc);

/* True where files can be made in `dir`. */
bool collect_may_write(const char *dir);

/* Says that no rank has files in `dir`. */
void collect_say_none(const char *dir, const struct say *say);

#endif
