/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.h: how much longer data between hosts took in the run than by the model. */
#ifndef TRYST_MAPPING_PACE_H
#define TRYST_MAPPING_PACE_H

#include "analysis/mapping/hosts.h"
#include "analysis/model/equations/contention.h"

/*
 * Reads the flow cuts of the run and of the files links_more; the run's cuts take precedence, then
 * those of earlier files. A missing cut is that of equal shares, a missing cut_in NAN. 0 or a
 * negative errno, said.
 */
int replay_cuts_read(sqlite3 *db, const struct replay_changes *changes, struct contention *out,
	const struct say *say);

/*
 * Replays the scenario with several values of s->chance, and sets it to that of the median run
 * time, *run_ns, and s->chance_ns to the standard deviation. *run_ns is INT64_MAX if one would
 * hang. 0 or -ENOMEM.
 */
int replay_median(struct replay_graph *g, struct replay_scenario *s, int64_t *run_ns);

/*
 * Finds hosts->pace: with it, a replay of the unchanged run by links and flow cuts takes about as
 * long as the run did. pace_known: the replay is within 10 %. rest_ns is the run time minus that of
 * the replay, and off is its size as a share of the run time; both are 0 if no replay succeeded.
 * The pace is 1 if data lengthens this replay by less than 5 % of the run time. It is below 1 only
 * if the replay with pace 1 is off by 10 % or more: the links were measured too slow then. s: its
 * links `was` are used.
 *
 * A network may limit only what leaves a host. If flow cut cut_in is known, it shows this. If it is
 * unknown and the pace is below 0.95, the pace is also fitted with free ways into hosts; of the two
 * paces the one nearer to 1 counts. ways_in_free is set if they are free. 0 or -ENOMEM.
 */
int replay_find_pace(
	struct replay_graph *g, const struct replay_scenario *s, struct replay_hosts *hosts);

#endif
