/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h: the callsites that a line of the program stands for. */
#ifndef TRYST_REPLAY_PLACE_H
#define TRYST_REPLAY_PLACE_H

#include <sqlite3.h>

#include "analysis/replay/graph.h"

/*
 * Adds `by` to of_site[] of all callsites of the rank (an index) at `place`, [FILE:]LINE. Returns
 * the number of these callsites, or a negative errno: the database cannot be read.
 */
int replay_add_at(sqlite3 *db, const struct replay_graph *g, uint32_t rank, const char *place,
	int64_t by, int64_t *of_site);

#endif
