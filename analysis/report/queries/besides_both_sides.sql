-- SPDX-License-Identifier: BSD-3-Clause
-- The rows of besides.sql, from both sides.
INSERT INTO besides
SELECT 12, 'transfers', 100.0 * ns / run, call, place, NULL, NULL
FROM (SELECT sum(unhidden_ns) AS ns FROM bottleneck WHERE cause = 'unhidden_transfer'),
	(
	SELECT call, place
	FROM bottleneck
	WHERE cause = 'unhidden_transfer'
	ORDER BY unhidden_ns DESC, place
	LIMIT 1), (SELECT sum(ns) AS run FROM rank_time WHERE part = 'run')
WHERE ns * 20 >= run AND run > 0;
