-- SPDX-License-Identifier: BSD-3-Clause
-- The cost of all waits for each rank, and the costliest activity of the rank meanwhile. With
-- max(), SQLite takes the other columns from the row that has it.
WITH b AS (SELECT * FROM blame_row), total AS (SELECT sum(blame_ns) AS ns FROM b)
SELECT rank, ns, activity
FROM (
	SELECT rank, sum(blame_ns) AS ns, activity, max(blame_ns)
	FROM b, total
	WHERE blame_ns > 0
	GROUP BY rank)
