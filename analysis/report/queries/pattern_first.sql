-- SPDX-License-Identifier: BSD-3-Clause
-- The pattern whose remedy would shorten the run most, if no bottleneck is worth more (patterns_rows.sql). activity: what
-- the late rank of a load imbalance computes most while others wait. heavy and the shares behind it: what samples show of
-- this computation (sampled.sql). ahead: a sentence stands before it in the verdict.
WITH late AS (
	SELECT r.rank, r.place, r.after
	FROM pattern_best b
	JOIN blame_row r ON r.rank = b.rank AND doing = 'computation'
	WHERE pattern = 'load_imbalance'
	GROUP BY r.place, r.after
	ORDER BY sum(blame_ns) DESC
	LIMIT 1)
SELECT b.*, (SELECT run_ns FROM worth_run) AS run_ns,
	iif(l.rank NOT NULL, activity('computation', NULL, l.place, l.after), NULL) AS activity,
	s.heavy, s.heavy_pct, s.no_cpu_pct, s.asleep_pct,
	EXISTS (SELECT 1 FROM doubt) OR coalesce((SELECT said AND ends FROM outlook), 0) AS ahead
FROM pattern_best b
LEFT JOIN late l ON true
LEFT JOIN sampled s ON s.rank = l.rank AND s.thread = -1 AND s.place = coalesce(l.place, '')
	AND s.after = coalesce(l.after, '')
WHERE NOT coalesce((SELECT alone FROM outlook), 0)
