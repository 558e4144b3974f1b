/* SPDX-License-Identifier: BSD-3-Clause */
/* links.h: the LogGPS parameters of a run's links. */
#ifndef TRYST_REPLAY_LINKS_H
#define TRYST_REPLAY_LINKS_H

#include <sqlite3.h>

#include "analysis/base/say.h"
#include "analysis/model/equations/loggps.h"
#include "analysis/replay/graph.h"

#define REPLAY_BYTES_END 1e18 /* no size is as large */

enum { REPLAY_TIERS = 3 }; /* kinds of links: record.h has their numbers */

/* A rank's link of one kind. was: in the recorded run; is: under the scenario. */
struct replay_link {
	struct loggps was, is;
};

/*
 * Reads the links of the run, by index of the rank. Kinds that the run does not know come from
 * `more`, files of tryst calibrate opened by links_open(); of several, the first one that knows the
 * kind counts. `is` becomes the same as `was`. *taken: links to other ranks came from such a file.
 * 0 or a negative errno, said.
 */
int replay_links_read(sqlite3 *db, const struct replay_graph *g, sqlite3 *const *more,
	uint32_t nmore, struct replay_link (*link)[REPLAY_TIERS], bool *taken,
	const struct say *say);

/* Reads all links from two files of tryst calibrate. 0 or a negative errno, said. */
int replay_links_of_files(const struct replay_graph *g, sqlite3 *was, sqlite3 *is,
	struct replay_link (*link)[REPLAY_TIERS], const struct say *say);

/*
 * Decides by S of `was` which sends of unknown protocol were rendezvous, and corrects the waits of
 * these sends and their calls. A send longer than S that ended before its receive was posted was
 * eager: g->eager_above_S counts these.
 */
void replay_protocols_by_S(struct replay_graph *g, const struct replay_link (*link)[REPLAY_TIERS]);

#endif
