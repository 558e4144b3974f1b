/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gain.h: a loaded run, and by how much its replay is shorter under a change.
 *
 *	worth.c loads the run --> bottlenecks.c, patterns.c change it --> gain.c replays it
 */
#ifndef TRYST_WORTH_GAIN_H
#define TRYST_WORTH_GAIN_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/replay/balance.h"
#include "analysis/worth/edit.h"
#include "analysis/replay/graph.h"
#include "analysis/replay/scenario.h"

struct worth {
	sqlite3 *db;
	struct replay_graph g;
	struct edit edit;
	struct replay_scenario same; /* no change */
	int64_t run_ns, interval_ns; /* as temp.worth_run has them */
	int64_t base_ns; /* the replayed run, or one without tryst: gains count from here */
	int64_t told_ns; /* base_ns in the report's length of the run: no gain is longer */
	int64_t steps;   /* left, of replays: no question begins below 1 */
};

/*
 * By how much the run is shorter under the scenario and the edits [ns]; 0: it is not shorter, it
 * would hang, or the scenario changes messages whose times are unknown. *rc: 0 or -ENOMEM.
 */
int64_t worth_gain(struct worth *w, const struct replay_scenario *scenario, int *rc);

/* The same, with equal work in these sections. mark: as in replay_balance(). */
int64_t worth_gain_of_balance(
	struct worth *w, enum replay_sections sections, const int64_t *mark, int *rc);

/*
 * Takes tryst's own time out of the computations; gains count from this run then. A replay that
 * removes a call would keep tryst's own time before it, which is long compared with a short call.
 * 0, or a negative errno.
 */
int worth_leave_tool_out(struct worth *w);

/* The callsite as the graph numbers them; REPLAY_NONE: the graph does not have it. */
uint32_t worth_site(const struct worth *w, int64_t rank, int64_t callsite);

/* How much longer a message takes: at each end, and from the send's entry to the receive's end. */
struct worth_longer {
	int64_t send_ns, recv_ns, all_ns;
	bool rendezvous; /* it waits for its receive */
};

/*
 * ... with this many bytes. If the overheads of a byte are unknown, or more than the whole time of
 * the bytes, each end has the whole time. Above S the receive has it. False: the time is unknown.
 */
bool worth_longer(const struct worth *w, const struct replay_part *message, uint64_t bytes,
	struct worth_longer *more);

/* An end of a message that waited so long for the rank at the other end. */
struct worth_wait {
	int64_t ns;
	uint32_t part;
};

/*
 * Are ranks late by chance in these waits, all of sends or all of receives (chance.c)? 0 or
 * -ENOMEM.
 */
int worth_late_by_chance(
	const struct worth *w, const struct worth_wait *waiting, uint32_t n, bool *chance);

/* Fills temp.worth, late_by_chance and remedy_tried (bottlenecks.c). 0, or a negative errno. */
int worth_of_bottlenecks(struct worth *w);

/* A collective made by hand. */
enum worth_shape { SHAPE_FAN_OUT, SHAPE_FAN_IN, SHAPE_RING };

/*
 * By how much a collective shortens the run, in the place of messages that do its work (trees.c).
 * site, of root's messages: REPLAY_NONE in a ring, which has no root. same_ns: all have the same
 * data (or it is reduced). own_ns: each rank has its own data, so messages are longer. -1: unknown.
 * 0 or -ENOMEM.
 */
int worth_gain_of_tree(struct worth *w, enum worth_shape shape, int64_t root, uint32_t site,
	int64_t *same_ns, int64_t *own_ns);

/*
 * By how much the run is shorter if the master takes no time of its own between its first and its
 * last message (master.c): more ranks that serve bring no more. -1: unknown, as with several
 * threads.
 */
int64_t worth_gain_of_master(struct worth *w, int64_t master, int *rc);

enum { WORTH_PIECES_MAX = 8 };

/*
 * ... if the master hands out `by` pieces of work in a message, at most WORTH_PIECES_MAX, and takes
 * no longer for it than for one (pieces.c). -1: unknown, as with several threads of a rank.
 */
int64_t worth_gain_of_pieces(struct worth *w, int64_t master, uint32_t by, int *rc);

/*
 * Fills temp.pattern_gain, collective_gain and master_gain (patterns.c). Small messages come last:
 * from then on tryst's own time is left out. 0, or a negative errno.
 */
int worth_of_patterns(struct worth *w);

#endif
