/* SPDX-License-Identifier: BSD-3-Clause */
/* mapping.h: the host of each rank in a replay, and whether messages between hosts are followed. */
#ifndef TRYST_MAPPING_MAPPING_H
#define TRYST_MAPPING_MAPPING_H

#include <sqlite3.h>

#include "analysis/replay/graph.h"
#include "analysis/mapping/hosts.h"
#include "analysis/replay/scenario.h"

/*
 * Call it after replay_scenario_read(), before a replay. It puts ranks on other hosts, and has
 * messages between hosts followed (traffic.h) if ranks move, or if the scenario changes links
 * between the hosts of the run. It makes up to about 50 replays.
 *
 * changes->map: "by-node", "by-slot", "search", or the name of a file (hosts.h); NULL: no rank
 * moves. "search" keeps how many ranks a host has. It exchanges ranks as long as the sum of LogGPS
 * times of all messages falls, from the run's mapping, by-node and by-slot on, and takes the one
 * whose replay ends first (MM, sections 6.3 and 7). changes->links_more also has the flow cuts.
 *
 * *hosts: zero-filled, or from an earlier call for the same run, whose findings are used again. The
 * scenario refers to it. It is to be released in any case. 0; -EINVAL: the mapping is impossible,
 * said; another negative errno, said unless it is -ENOMEM.
 */
int replay_follow(sqlite3 *db, struct replay_graph *g, const struct replay_changes *changes,
	struct replay_scenario *s, struct replay_hosts *hosts, const struct say *say);

/*
 * Fills temp table scenario_map, which replay_tables() makes. 0 or a negative errno, said.
 */
int replay_table_map(sqlite3 *db, const struct replay_graph *g, const struct replay_hosts *hosts,
	const struct say *say);

#endif
