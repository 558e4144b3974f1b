/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.h: how much longer data between hosts took in the run than by the model. */
#ifndef TRYST_MAPPING_PACE_H
#define TRYST_MAPPING_PACE_H

#include "analysis/mapping/hosts.h"
#include "analysis/model/equations/contention.h"

/*
 * Sets the flow cuts of *hosts from the files links_more. Without these, flows of one direction
 * share it equally. 0 or a negative errno, said.
 */
int replay_cuts_read(
	const struct replay_changes *changes, struct replay_hosts *hosts, const struct say *say);

/*
 * Replays the scenario with some orders of messages that chance decides. s->chance: the one with
 * the median run time, *run_ns; INT64_MAX: one would hang. s->chance_ns: their spread.
 * 0 or -ENOMEM.
 */
int replay_median(struct replay_graph *g, struct replay_scenario *s, int64_t *run_ns);

/*
 * Finds hosts->pace: with it, a replay of the unchanged run takes about as long as the run did,
 * although the traffic between hosts has the times of links and flow cuts. It is 1 if this traffic
 * took less than 5 % of the run. s: the run's links.
 *
 * A network may limit what leaves a host, but not what comes to one. If no cuts were measured, and
 * the pace is nearer to 1 when messages on their way into a host do not slow each other down, it
 * is this one, and ways_in_free is set. 0 or -ENOMEM.
 */
int replay_find_pace(
	struct replay_graph *g, const struct replay_scenario *s, struct replay_hosts *hosts);

#endif
