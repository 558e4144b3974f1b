-- SPDX-License-Identifier: BSD-3-Clause
-- The pattern whose remedy would shorten the run most, if no bottleneck is worth more
-- (patterns_rows.sql). ahead: a sentence stands before it in the verdict. activity: what the late
-- rank of a load imbalance computes most while others wait.
SELECT *, (SELECT run_ns FROM worth_run) AS run_ns, iif(pattern = 'load_imbalance', (
		SELECT activity(doing, call, place, after)
		FROM blame_row r
		WHERE r.rank = pattern_best.rank AND doing = 'computation'
		GROUP BY place, after
		ORDER BY sum(blame_ns) DESC
		LIMIT 1), NULL) AS activity,
	coalesce((SELECT said AND ends FROM outlook), 0) AS ahead
FROM pattern_best
WHERE NOT coalesce((SELECT alone FROM outlook), 0)
