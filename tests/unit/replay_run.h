/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_run.h: replays the hand-made run of a test, without and with changes. */
#ifndef TRYST_TESTS_REPLAY_RUN_H
#define TRYST_TESTS_REPLAY_RUN_H

#include "tests/unit/match_run.h"

#include "analysis/replay/load.h"
#include "analysis/replay/run.h"

static struct replay_graph g;
static struct replay_result before, after;

/* Replays the run of the database under these changes. */
static inline void replay(const struct replay_changes *changes)
{
	const struct replay_scenario unchanged = { .corrects = true };
	struct replay_scenario scenario;
	struct replay_result same;

	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_scenario_read(db, &g, changes, &scenario, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run(&g, &unchanged, &same), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run(&g, NULL, &before), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run(&g, &scenario, &after), 0);
	CU_ASSERT_EQUAL(same.run_ns, before.run_ns);
	replay_result_release(&same);
	replay_scenario_release(&scenario);
}

static inline void forget(void)
{
	replay_result_release(&before);
	replay_result_release(&after);
	replay_graph_release(&g);
}

static inline int64_t waited(const struct replay_result *r, enum replay_cause cause)
{
	int64_t ns = 0;

	for (uint32_t i = 0; i < g.nsites; i++)
		ns += r->site[i].wait_ns[cause];
	return ns;
}

#define LINK_VALUES                                                                                \
	"(VALUES ('L', %d), ('o', 100), ('O_ss', 0), ('O_rs', 0), ('G_s', %d), ('O_sl', 0),"       \
	" ('O_rl', 0), ('G_l', %d), ('s', 1000), ('S', %d), ('S_p', %d))"

/* A kind of link of all ranks, with o 100. */
static inline void give_link(int ranks, const char *tier, int L, int G, int S)
{
	for (int rank = 0; rank < ranks; rank++)
		run_sql("INSERT INTO link_param SELECT %d, '%s', NULL, NULL, NULL, 'LogGPS', "
			"column1, NULL, column2, 'ns', NULL, NULL, 'measured', NULL "
			"FROM " LINK_VALUES,
			rank, tier, L, G, G, S, S);
}

/* o 100, L 700, and nothing a byte. */
static inline void give_links(void)
{
	give_link(2, "node", 700, 0, 1000);
}

/* Callsites 2, 3 and 4, of sends, receives and collectives, lie in lines 20, 30 and 40. */
static inline void give_lines(void)
{
	for (int rank = 0; rank < 2; rank++)
		run_sql("INSERT INTO frame_row (rank, callsite, frame, function, file, line)"
			" VALUES (%d, 2, 0, 'main', '/src/halo.c', 20),"
			" (%d, 3, 0, 'main', '/src/halo.c', 30),"
			" (%d, 4, 0, 'main', '/src/halo.c', 40)",
			rank, rank, rank);
	run_sql("UPDATE run SET value = 12000 WHERE key = 'end_ns'");
}

#endif
