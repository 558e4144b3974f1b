-- SPDX-License-Identifier: BSD-3-Clause
-- Where does the time in MPI go? By place and function, the longest first, times in ns,
-- share_pct of the ranks' run time. Functions that only ask the library are one row: they
-- neither communicate nor wait. Needs the report's site, rank_time and SQL functions.
WITH name AS (
	SELECT id, iif(is_query(name), 'local queries', name) AS call, is_query(name) AS query
	FROM call_name
	WHERE name NOT IN ('MPI_Init', 'MPI_Init_thread', 'MPI_Finalize'))
SELECT iif(n.query, 'anywhere', coalesce(s.place, 'unknown')) AS "where", n.call,
	sum(c.count) AS count, sum(c.time_ns) AS time_ns,
	100.0 * sum(c.time_ns) / nullif((SELECT sum(ns) FROM rank_time WHERE part = 'run'), 0)
	AS share_pct, sum(c.time_ns) / sum(c.count) AS mean_ns
FROM call_cell c
CROSS JOIN name n ON n.id = c.call
LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite
GROUP BY 1, 2
ORDER BY 4 DESC, 1, 2
LIMIT :top
