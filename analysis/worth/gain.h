/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gain.h: a loaded run, and by how much its replay is shorter under a change.
 *
 *	worth.c: loads the run --> bottlenecks.c, patterns.c: a change --gain.c: a replay--> the
 *gain
 */
#ifndef TRYST_WORTH_GAIN_H
#define TRYST_WORTH_GAIN_H

#include <sqlite3.h>
#include <stdint.h>

#include "analysis/replay/balance.h"
#include "analysis/replay/edit.h"
#include "analysis/replay/graph.h"
#include "analysis/replay/scenario.h"

struct worth {
	sqlite3 *db;
	struct replay_graph g;
	struct replay_edit edit;
	struct replay_scenario same; /* no change */
	int64_t run_ns, interval_ns; /* as temp.worth_run has them */
	int64_t base_ns; /* the replayed run, or one without tryst: gains count from here */
	int64_t told_ns; /* base_ns in the report's length of the run: no gain is longer */
	int64_t steps;   /* left, of replays: none begins below 1 */
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

/* Fills temp.worth and remedy_tried (bottlenecks.c). 0, or a negative errno. */
int worth_of_bottlenecks(struct worth *w);

/*
 * Fills temp.pattern_gain (patterns.c). Small messages are the last, since they leave the tool out.
 * 0, or a negative errno.
 */
int worth_of_patterns(struct worth *w);

#endif
