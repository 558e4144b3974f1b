/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts.h: which rank is on which host, and what follows for the kind of each message's link.
 *
 * A file of hosts has a line for each rank that moves, "RANK HOST". HOST is a host of the run or
 * any other name. A # begins a comment.
 */
#ifndef TRYST_MAPPING_HOSTS_H
#define TRYST_MAPPING_HOSTS_H

#include <sqlite3.h>

#include "analysis/base/say.h"
#include "analysis/model/equations/contention.h"
#include "analysis/replay/graph.h"
#include "analysis/replay/scenario.h"

struct replay_hosts {
	char **name; /* by number of the host */
	uint32_t n;
	uint32_t *was, *is; /* the host of each rank, by index: in the run, and under the mapping */
	uint32_t *part_rank;    /* index of the rank of each end of a message, by part */
	struct contention cuts; /* how flows share hosts: pace.h */
	bool ways_in_free;      /* ... but not the ways into them: pace.h */
	double pace;            /* of data between hosts: pace.h; 0: not found yet */
	bool pace_known;        /* with it, the model's time for the unchanged run is within 10 % */
	int64_t rest_ns; /* run time minus the model's, also beyond 10 %; 0 if no replay succeeded
			  */
	double off;      /* |rest_ns| as a share of the run time */
};

/*
 * The hosts of the run's ranks; `is` is a copy of `was`. *out is to be released in any case. 0;
 * -EINVAL: a rank's host is unknown, said; another negative errno, said.
 */
int replay_hosts_read(
	sqlite3 *db, const struct replay_graph *g, struct replay_hosts *out, const struct say *say);
void replay_hosts_release(struct replay_hosts *h);

/* Ranks move as the file says. 0; -EINVAL: it cannot be read, said; -ENOMEM. */
int replay_hosts_file(const struct replay_graph *g, const char *path, struct replay_hosts *h,
	const struct say *say);

/*
 * Ranks go to the hosts of the run one after the other (by_node), or fill one host after the other.
 * Each host gets as many ranks as it had.
 */
void replay_hosts_in_turn(const struct replay_graph *g, bool by_node, struct replay_hosts *h);

/* The smallest S of the links of a kind under the scenario; UINT64_MAX: unknown. */
uint64_t replay_S_of(const struct replay_graph *g, const struct replay_scenario *s, int tier);

/*
 * Gives each message under the scenario the kind of link that its ranks' hosts have. 0; -EINVAL:
 * the time over such a link is unknown, said; -ENOMEM.
 */
int replay_hosts_apply(const struct replay_graph *g, const struct replay_hosts *h,
	struct replay_scenario *s, const struct say *say);

#endif
