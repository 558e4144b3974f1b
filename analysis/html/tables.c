/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c: what the page shows beyond the report's sections, in numbers of the same tables and
 * views.
 */
#include "analysis/html/html.h"
#include "analysis/html/queries.h"

const struct section html_tables[] = {
	{ .name = "rank_times", .one = { .ask = { { .sql = sql_html_rank_times } } } },
	{ .name = "matrix", .one = { .ask = { { .sql = sql_html_matrix } } } },
	{ .name = "sizes", .one = { .ask = { { .sql = sql_html_sizes } } } },
	{ .name = "clocks", .one = { .ask = { { .sql = sql_html_clocks } } } },
	{ .name = "scenarios",
		.when = "SELECT count(*) FROM sqlite_schema WHERE name = 'scenario'",
		.one = { .ask = { { .sql = sql_html_scenarios } } } },
	{ 0 }
};
