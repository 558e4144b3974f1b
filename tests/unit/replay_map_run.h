/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_map_run.h: replays the hand-made run of a test with ranks on hosts. */
#ifndef TRYST_TESTS_REPLAY_MAP_RUN_H
#define TRYST_TESTS_REPLAY_MAP_RUN_H

#include "tests/unit/replay_run.h"

#include "analysis/mapping/mapping.h"

static struct replay_scenario scenario;
static struct replay_hosts hosts;

/* Replays the run of the database under these changes. Returns what replay_follow() did. */
static inline int follow(const struct replay_changes *changes)
{
	int rc;

	CU_ASSERT_EQUAL_FATAL(replay_load(db, &g, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_scenario_read(db, &g, changes, &scenario, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(replay_run(&g, NULL, &before), 0);
	rc = replay_follow(db, &g, changes, &scenario, &hosts, NULL);
	CU_ASSERT_EQUAL_FATAL(replay_run(&g, &scenario, &after), 0);
	return rc;
}

static inline void forget_followed(void)
{
	replay_hosts_release(&hosts);
	replay_scenario_release(&scenario);
	forget();
}

/* A file of hosts for changes.map. */
static inline const char *map_file(const char *text)
{
	const char *path = scratch_path(dir, "map");
	FILE *f = fopen(path, "w");

	CU_ASSERT_FATAL(f != NULL);
	fputs(text, f);
	fclose(f);
	return path;
}

/* Each letter of `names` is a rank's host. */
static inline void on_hosts(const char *names)
{
	for (int rank = 0; names[rank]; rank++)
		run_sql("INSERT INTO run VALUES (%d, 'host', '%c')", rank, names[rank]);
}

#endif
