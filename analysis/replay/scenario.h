/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scenario.h: what is changed before a run is replayed.
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
	double *slowness; /* by index of the rank: its computation takes so many times as long */
	int64_t *add_ns;  /* by site: computed in addition before each call there */
	int64_t *gap_ns;  /* by call: computed before it; NULL: as measured */
	bool no_waits[REPLAY_CAUSES];
	bool links_change;
	/*
	 * nothing is changed: where lanes wait for each other for ever, the graph has an edge that
	 * the run did not, and it is taken out
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
 * From the changes and the parameters of the run's links. *out is to be released in any case. 0;
 * -EINVAL: a change cannot be read, or not be made, said; another negative errno, said.
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
 * For a part that waited for the other side's progress: does it need none under the scenario? Up to
 * S_p, (4), a send needs none, above it, (4b), it does; above S, (5) and (9), both do.
 */
bool replay_progresses(
	const struct replay_scenario *s, uint32_t rank, const struct replay_part *part);

/*
 * How much of the part's time without waits [ns] a thread saves by (5) and (9), if it moved the
 * message for `ns` before the part's call, since both sides had posted. o remains. NAN: unknown.
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
