/* SPDX-License-Identifier: BSD-3-Clause */
/* mapping.h: ranks on other hosts than in the run. */
#ifndef TRYST_MAPPING_MAPPING_H
#define TRYST_MAPPING_MAPPING_H

#include <sqlite3.h>

#include "analysis/replay/graph.h"
#include "analysis/mapping/hosts.h"
#include "analysis/replay/scenario.h"

/*
 * Moves ranks under a scenario that replay_scenario_read() made. changes->map: "by-node",
 * "by-slot", "search", or the name of a file (hosts.h); NULL: nothing moves. "search" keeps how
 * many ranks a host has. It exchanges ranks as long as the sum of LogGPS times of all messages
 * falls, from the run's mapping, by-node and by-slot on, and takes the one whose replay ends first
 * (MM, sections 6.3 and 7).
 *
 * changes->links_more also has the flow cuts. *hosts: the mapping, to be released in any case. 0;
 * -EINVAL: it cannot be, said; another negative errno, said unless it is -ENOMEM.
 */
int replay_map(sqlite3 *db, struct replay_graph *g, const struct replay_changes *changes,
	struct replay_scenario *s, struct replay_hosts *hosts, const struct say *say);

/*
 * Fills temp table scenario_map, which replay_tables() makes. 0 or a negative errno, said.
 */
int replay_table_map(sqlite3 *db, const struct replay_graph *g, const struct replay_hosts *hosts,
	const struct say *say);

#endif
