/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c: what the page shows beyond the report's sections, in numbers of the same tables and
 * views.
 */
#include "analysis/html/html.h"
#include "analysis/html/queries.h"

const struct section html_tables[] = {
	{ .name = "rank_times",
		.one = { .ask = { { .sql = "SELECT rank, part, ns AS time_ns FROM rank_time ORDER "
					   "BY "
					   "rank, part" } } } },
	{ .name = "matrix", .one = { .ask = { { .sql = sql_html_matrix } } } },
	{ .name = "sizes", .one = { .ask = { { .sql = sql_html_sizes } } } },
	{ .name = "clocks",
		.one = { .ask = { { .sql = "SELECT rank, count(*) AS points, min(offset_ns) AS "
					   "least_offset_ns, max(offset_ns) AS most_offset_ns,"
					   " max(error_ns) AS error_ns FROM clock GROUP BY "
					   "rank" } } } },
	{ .name = "scenarios",
		.when = "SELECT count(*) FROM sqlite_schema WHERE name = 'scenario'",
		.one = { .ask = { { .sql = "SELECT changes, run_before_ns, run_same_ns, "
					   "run_after_ns,"
					   " run_low_ns, run_high_ns FROM scenario ORDER BY "
					   "scenario" } } } },
	{ 0 }
};
