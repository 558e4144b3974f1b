/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scenario.h: the changes that are made to a run before it is replayed.
 *
 * A list of changes is text, as the options of `tryst predict` have it:
 *
 *	set      NAME=VALUE or NAME*FACTOR, names L, o, G, s, S, S_p: "S=64K,L*0.5"
 *	speed    rank:R=FACTOR:                                   "rank:1=1.2"
 *	add      rank:R@[FILE:]LINE=TIME                          "rank:1@solve.c:30=20ms"
 *	balance  [FILE:]LINE,[FILE:]LINE, or collectives, or run: balance.h
 *	no_waits late_sender, late_receiver, collective, late_progress
 *	model    LogGPS, LogGP-1, LogGP-2
 */
#ifndef TRYST_REPLAY_SCENARIO_H
#define TRYST_REPLAY_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>
#include <sqlite3.h>

#include "analysis/base/say.h"
#include "analysis/model/equations/contention.h"
#include "analysis/replay/graph.h"
#include "analysis/replay/links.h"

/* LogGP: 2o + L + (k - 1) G, by one or two lines. No message waits for its receive. */
struct replay_loggp {
	double o[2], one_way[2], G[2]; /* ns, ns, ns/B; NAN: unknown */
	uint64_t s;                    /* longest message of the first line [B] */
};

/* What a message takes. */
enum replay_model {
	REPLAY_MEASURED, /* as measured, and what LogGPS says of a change */
	REPLAY_LOGGPS,   /* what the model says alone */
	REPLAY_LOGGP_1,
	REPLAY_LOGGP_2
};

struct replay_scenario {
	struct replay_link (*link)[REPLAY_TIERS]; /* by index of the rank */
	double *slowness; /* by site: factor on the computation before each call there */
	int64_t *add_ns;  /* by site: computation added before each call there */
	int64_t *gap_ns;  /* by call: computed before it; NULL: as measured */
	bool no_waits[REPLAY_CAUSES];
	bool links_change;
	bool links_equal;  /* all ranks have the links of the first one */
	bool links_unused; /* files links_more were given, and the run lacks no link of theirs */
	bool ideal; /* messages take no time on the network, and do not slow each other there */
	/*
	 * nothing is changed. If lanes wait for each other for ever, the graph has an edge that the
	 * run did not have, and the edge is removed
	 */
	bool corrects;
	bool S_set[REPLAY_TIERS]; /* a message's protocol follows from its size anew */
	bool S_p_set[REPLAY_TIERS];
	bool progress; /* a thread of each rank moves messages while the others compute */
	uint64_t S[REPLAY_TIERS]; /* UINT64_MAX: messages keep their protocol */
	uint64_t S_p[REPLAY_TIERS];
	uint64_t piece_bytes; /* longer messages in standard mode go in pieces of it; 0: they do not
			       */
	enum replay_model model;
	struct replay_loggp loggp[REPLAY_TIERS];
	/* mapping.h: by part, of those that begin at `part`. NULL: ranks stay on their hosts */
	const struct replay_part *part;
	uint8_t *tier;
	bool moves;                    /* a rank is on another host than in the run */
	const uint32_t *host_of;       /* by index of the rank. NULL: no traffic is followed */
	const struct contention *cuts; /* how flows share hosts; known if host_of is */
	bool ways_in_free;             /* ... but not the ways into them: traffic.h */
	double pace; /* how much longer data between hosts takes than links say, as a factor */
	/*
	 * what the model lacks of the run time as it was [ns], if messages are followed: each rank
	 * ends so much later
	 */
	int64_t rest_ns;
	/* error of the model for the unchanged run, as a share of the run time; only with --map */
	double off;
	/*
	 * Flights of requests and answers, and queue limits of messages, vary at random. chance:
	 * the seed of this replay. chance_ns: standard deviation of the run time over the seeds
	 * [ns], with --map including the model's error for the unchanged run
	 */
	uint32_t chance;
	double chance_ns;
	bool crowded; /* messages are not followed, because that would take too long */
};

struct replay_changes {
	const char *set, *speed, *add, *balance, *no_waits, *model; /* NULL: none */
	const char *map; /* for replay_follow(); NULL: none */
	bool ideal_network, progress, fragment;
	/*
	 * files of tryst calibrate, opened by links_open(): one measured like the run, one under
	 * the change; both or neither
	 */
	sqlite3 *links_was, *links;
	/* others, for kinds of links that the run does not know; the first that knows one counts */
	sqlite3 *const *links_more;
	uint32_t nlinks_more;
};

/*
 * Makes *out from the changes and the parameters of the run's links. *g learns from these links
 * which sends were rendezvous, if the run does not know it. *out has to be released in any case. 0;
 * -EINVAL: a change cannot be read or made, said; another negative errno, said.
 */
int replay_scenario_read(sqlite3 *db, struct replay_graph *g, const struct replay_changes *changes,
	struct replay_scenario *out, const struct say *say);
void replay_scenario_release(struct replay_scenario *s);

/*
 * Reads a number and its unit. is_bytes: a size, rounded to whole bytes. Otherwise: a time, in ns.
 * False: it is neither, or 1e18 or more.
 */
bool replay_read_value(const char *text, bool is_bytes, double *value);

/* Is the link parameter a number of bytes? */
bool replay_is_bytes(const char *name);

/* Does the run use the tier? */
bool replay_tier_used(const struct replay_graph *g, int tier);

#endif
