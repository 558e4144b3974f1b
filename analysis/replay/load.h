/* SPDX-License-Identifier: BSD-3-Clause */
/* load.h: from run.db, analyzed, to the graph of a replay. */
#ifndef TRYST_REPLAY_LOAD_H
#define TRYST_REPLAY_LOAD_H

#include <sqlite3.h>

#include "analysis/base/say.h"
#include "analysis/replay/graph.h"

/*
 * Reads all ranks of `db`, whose messages `tryst analyze` matched. Fills *g, zero-filled before, to
 * be released in any case. 0 or a negative errno, said.
 */
int replay_load(sqlite3 *db, struct replay_graph *g, const struct say *say);

#endif
