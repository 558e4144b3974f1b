/* SPDX-License-Identifier: BSD-3-Clause */
/* goal.c: a run as a schedule for LogGOPSim. */
#include <config.h>

#include "analysis/export/export.h"
#include "analysis/goal/engine.h"
#include "analysis/replay/load.h"
#include "analysis/replay/scenario.h"
#include "analysis/text/out_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static int write_file(
	struct export_run *run, const struct goal *g, const char *comment, const char *target)
{
	struct out_file out;
	int rc = out_file_open(&out, target, run->say);

	if (rc)
		return rc;
	goal_write(out.stream, g, comment);
	return out_file_close(&out, 0);
}

/* The schedule's first line: how to call the simulator. */
static void describe(const struct replay_graph *graph, const struct replay_scenario *scenario,
	char *comment, size_t size)
{
	struct goal_parameters p;

	if (goal_parameters_of(graph, scenario, &p))
		snprintf(comment, size,
			"picoseconds: LogGOPSim -L %" PRIu64 " -o %" PRIu64 " -g %" PRIu64
			" -O %" PRIu64 " -G %" PRIu64 " -S %" PRIu64,
			p.L, p.o, p.g, p.O, p.G, p.S < UINT32_MAX ? p.S : UINT32_MAX);
	else
		snprintf(comment, size,
			"picoseconds; the parameters of the run's links are unknown");
}

static int write_goal(struct export_run *run, const char *target)
{
	const struct replay_changes none = { 0 };
	struct replay_graph graph = { 0 };
	struct replay_scenario scenario = { 0 };
	struct goal g = { 0 };
	char comment[256];
	int rc;

	if (!run->exact) {
		say_line(run->say, "'%s' is not analyzed: see tryst analyze", run->dir);
		return -EINVAL;
	}
	rc = replay_load(run->db, &graph, run->say);
	if (!rc)
		rc = replay_scenario_read(run->db, &graph, &none, &scenario, run->say);
	if (!rc && (rc = goal_from_run(&graph, &g)) != 0)
		say_line(run->say, "out of memory");
	if (!rc) {
		describe(&graph, &scenario, comment, sizeof(comment));
		rc = write_file(run, &g, comment, target);
	}
	goal_release(&g);
	replay_scenario_release(&scenario);
	replay_graph_release(&graph);
	return rc;
}

const struct export_format export_goal = { .name = "goal",
	.suffix = ".goal",
	.of_both_sides = true,
	.write = write_goal };
