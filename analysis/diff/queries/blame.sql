-- SPDX-License-Identifier: BSD-3-Clause
-- The rank that others wait for, and its activity meanwhile, from the run in which the activity takes longer.
SELECT rank, a_ns, b_ns, b_ns - a_ns AS change_ns, mostly
FROM (
	SELECT rank, sum(iif(side = 0, ns, 0)) AS a_ns, sum(iif(side = 1, ns, 0)) AS b_ns,
		activity AS mostly, max(ns)
	FROM blame GROUP BY rank)
ORDER BY abs(change_ns) DESC, rank
LIMIT :top
