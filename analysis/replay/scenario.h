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
 */
#ifndef TRYST_REPLAY_SCENARIO_H
#define TRYST_REPLAY_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>
#include <sqlite3.h>

#include "analysis/base/say.h"
#include "analysis/model/equations/loggps.h"
#include "analysis/replay/graph.h"

enum { REPLAY_TIERS = 3 };

/* A rank's link: as it is, and as the scenario has it. */
struct replay_link {
	struct loggps was, is;
};

struct replay_scenario {
	struct replay_link (*link)[REPLAY_TIERS]; /* by index of the rank */
	double *slowness; /* by index of the rank: factor on its computation */
	int64_t *add_ns;  /* by site: computation added before each call there */
	int64_t *gap_ns;  /* by call: computed before it; NULL: as measured */
	bool no_waits[REPLAY_CAUSES];
	bool links_change;
	/*
	 * nothing is changed. If lanes wait for each other for ever, the graph has an edge that the
	 * run did not have, and the edge is removed
	 */
	bool corrects;
	bool S_set; /* a message's protocol follows from its size anew */
	bool S_p_set;
	bool progress; /* a thread of each rank moves messages while the others compute */
	uint64_t S[REPLAY_TIERS]; /* UINT64_MAX: messages keep their protocol */
	uint64_t S_p;
	uint64_t piece_bytes; /* longer messages in standard mode go in pieces of it; 0: they do not
			       */
};

struct replay_changes {
	const char *set, *speed, *add, *balance, *no_waits; /* NULL: none */
	bool ideal_network, progress, fragment;
	/*
	 * files of tryst calibrate, opened by links_open(): one measured like the run, one under
	 * the change; both or neither
	 */
	sqlite3 *links_was, *links;
};

/*
 * Makes *out from the changes and the parameters of the run's links. *out has to be released in any
 * case. 0; -EINVAL: a change cannot be read or made, said; another negative errno, said.
 */
int replay_scenario_read(sqlite3 *db, const struct replay_graph *g,
	const struct replay_changes *changes, struct replay_scenario *out, const struct say *say);
void replay_scenario_release(struct replay_scenario *s);

/*
 * Reads a number and its unit. is_bytes: a size, rounded to whole bytes. Otherwise: a time, in ns.
 * False: it is neither, or 1e18 or more.
 */
bool replay_read_value(const char *text, bool is_bytes, double *value);

/* Is the link parameter a number of bytes? */
bool replay_is_bytes(const char *name);

/* Does the message go by rendezvous under the scenario? */
bool replay_rendezvous(const struct replay_scenario *s, const struct replay_part *part);

/*
 * True if a part that waited for the other side's progress needs none under the scenario. Up to
 * S_p, a send needs none (4). Between S_p and S, it does (4b). Above S, both sides do (5), (9).
 */
bool replay_progresses(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part);

/*
 * The time [ns] that a progress thread saves of the part's time without waits, by (5) and (9). The
 * thread moved the message for `ns` between the last post and the part's call. o remains. NAN:
 * unknown.
 */
double replay_hidden(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part, int64_t ns);

/*
 * How much longer the part's time without waits is under the scenario, by the model [ns]. lead_ns:
 * from the part's call to the last post that it needs, under the scenario. NAN: unknown.
 */
double replay_difference(const struct replay_scenario *s, uint32_t rank,
	const struct replay_part *part, int64_t lead_ns);

#endif
