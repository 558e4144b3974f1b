-- SPDX-License-Identifier: BSD-3-Clause
-- How far to trust the numbers, in one row. no_cpu_pct: of the ranks' time, NULL: unknown.
-- unpredicted_pct: time in messages without a prediction. clock_error_ns: the largest between two ranks' clocks; NULL:
-- unknown, or one clock. tool_pct: the cost of recording. messages: there are any. Needs summary_parts.sql and what times.sql makes.
SELECT 100.0 * lost / nullif(ends, 0) AS no_cpu_pct, 100.0 * unpredicted / nullif(run, 0) AS unpredicted_pct,
	(SELECT nullif(max(error_ns), 0) FROM clock) AS clock_error_ns, 100.0 * tool / nullif(run, 0) AS tool_pct,
	EXISTS (SELECT 1 FROM unconfirmed) AS unconfirmed, EXISTS (SELECT 1 FROM at_end) AS cut_short,
	EXISTS (SELECT 1 FROM bound) AS least,
	EXISTS (SELECT 1 FROM wait_cell WHERE peer >= 0 AND count > 0) AS messages
FROM (
	SELECT (SELECT sum(ns) FROM cpu_shortage) AS lost,
		sum(CAST(value AS INTEGER)) FILTER (WHERE key = 'end_ns') AS ends
	FROM run),
	(
	SELECT sum(ns) FILTER (WHERE part = 'run') AS run, sum(ns) FILTER (WHERE part = 'unpredicted') AS unpredicted,
		sum(ns) FILTER (WHERE part = 'tool') AS tool
	FROM rank_time)
WHERE run > 0
