-- SPDX-License-Identifier: BSD-3-Clause
-- The cost of all waits for each rank, and the costliest activity of the rank meanwhile. With
-- max(), SQLite takes the other columns from the row that has it.
SELECT rank, ns, activity(doing, call, place, after) AS activity
FROM (
	SELECT rank, sum(blame_ns) AS ns, doing, call, place, after, max(blame_ns)
	FROM blame_row
	WHERE blame_ns > 0
	GROUP BY rank)
