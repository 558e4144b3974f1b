/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives.h: finds the members of each collective, by communicator and number. */
#ifndef TRYST_MATCH_COLLECTIVES_H
#define TRYST_MATCH_COLLECTIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/state.h"

/*
 * Adds the rank's row of rma_row or io_row. If all members of the window or file make this call,
 * finds the ranks that waited in it, for blame and the critical path.
 */
void coll_take_transfer(
	struct match *m, struct run_rank *rank, const int64_t *v, bool is_file, uint32_t lane);

/* Allocates m->colls; coll_free() frees it. 0 or -ENOMEM. */
int coll_init(struct match *m);
void coll_free(struct match *m);

/* All later rows are posted at `ns` or after it. */
void coll_until(struct match *m, int64_t ns);

/* The next row of the rank's collectives. */
void coll_take(struct match *m, struct run_rank *rank);

/* All rows have come. */
void coll_drain(struct match *m);

#endif
