/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c: what the page shows beyond the report's sections, in numbers of the same tables and
 * views. */
#include "analysis/html/html.h"

/* As section pairs of the report counts waits. */
#define MATRIX                                                                                     \
	"SELECT rank, peer, sum(sent_count) AS sent_count, sum(sent_bytes) AS sent_bytes,"         \
	" sum(wait_ns) AS one_side_wait_ns FROM comm_matrix WHERE peer_world IS NULL AND peer >= " \
	"0"                                                                                        \
	" GROUP BY rank, peer"

const struct section html_tables[] = {
	{ .name = "rank_times",
		.one = { .ask = { { .sql = "SELECT rank, part, ns AS time_ns FROM rank_time ORDER "
					   "BY "
					   "rank, part" } } } },
	{ .name = "matrix", .one = { .ask = { { .sql = MATRIX } } } },
	{ .name = "sizes",
		.one = { .ask = { { .sql = "SELECT kind, protocol, bytes_log2, sum(count) AS count,"
					   " sum(bytes) / sum(count) AS mean_bytes,"
					   " sum(predicted_ns) / sum(count) AS predicted_mean_ns,"
					   " sum(blocked_ns) / sum(count) AS blocked_mean_ns,"
					   " sum(wait_ns) AS wait_ns FROM wait_profile"
					   " WHERE peer IS NOT NULL AND count > 0"
					   " GROUP BY kind, protocol, bytes_log2" } } } },
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
