/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.h: what a replay gave, as temporary tables. */
#ifndef TRYST_REPLAY_TABLES_H
#define TRYST_REPLAY_TABLES_H

#include <sqlite3.h>

#include "analysis/base/say.h"
#include "analysis/replay/path.h"

/*
 * Makes and fills temp tables scenario, scenario_rank, scenario_callsite, scenario_path and
 * scenario_note of `db` (queries/tables.sql). before: as measured; same: without a change; before
 * and after by replay_run_path(). 0 or a negative errno, said.
 */
int replay_tables(sqlite3 *db, const struct replay_graph *g, const struct replay_scenario *scenario,
	const struct replay_result *before, const struct replay_result *same,
	const struct replay_result *after, const struct say *say);

/*
 * Fills temp table scenario_efficiency, which replay_tables() makes. ideal_known: the run on an
 * ideal network is known. 0 or a negative errno, said.
 */
int replay_table_efficiency(
	sqlite3 *db, const struct replay_efficiency *e, bool ideal_known, const struct say *say);

/*
 * Copies the temp tables of `from` into tables scenario, scenario_rank, scenario_callsite and
 * scenario_path of run.db, `to`, in place of those of an earlier prediction with the same changes.
 * 0 or a negative errno, said.
 */
int replay_store(sqlite3 *from, sqlite3 *to, const char *changes, const struct say *say);

#endif
