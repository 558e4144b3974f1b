/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crowd.h: messages that share a host's way to the network, before and after ranks move.
 *
 * Source: MM, through model/equations/contention.h. A message between hosts is a flow that begins
 * when its send is posted, or for a rendezvous both sides are, and takes alone what LogGPS gives
 * its bytes.
 */
#ifndef TRYST_MAPPING_CROWD_H
#define TRYST_MAPPING_CROWD_H

#include "analysis/model/equations/contention.h"
#include "analysis/mapping/hosts.h"

/*
 * Flow cuts from a file of tryst calibrate. Cuts that it has none of, and all if `file` is NULL,
 * are those of full duplex links that flows of one direction share equally. 0 or a negative errno.
 */
int replay_cuts_read(sqlite3 *file, struct contention *out);

/*
 * Finds crowd[] of a scenario whose ranks were moved, by replaying it some times. 0 or -ENOMEM. If
 * so many messages are on their way at a time that it would take long, sets `crowded` instead.
 */
int replay_find_crowd(struct replay_graph *g, const struct replay_hosts *h,
	const struct contention *cuts, struct replay_scenario *s);

#endif
