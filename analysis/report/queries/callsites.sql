-- SPDX-License-Identifier: BSD-3-Clause
-- Where do messages wait, from both sides? By place and function, the longest first, times in
-- ns, share_pct of all waits in messages. mostly: the cause with most of it. waited_in,
-- waited_at: the call that completed most of what was posted there, where that is another
-- one. Needs the report's exact_part, site, waited_sum and done_part.
WITH g AS (
	SELECT place, call, cause, sum(waits) AS waits, sum(ns) AS ns
	FROM exact_part e
	LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite
	GROUP BY place, call, cause)
SELECT coalesce(g.place, 'unknown') AS "where",
	(SELECT name FROM call_name WHERE id = g.call) AS call, sum(waits) AS count,
	sum(ns) AS wait_ns, 100.0 * sum(ns) / nullif((SELECT ns FROM waited_sum), 0) AS share_pct,
	(
		SELECT cause
		FROM g i
		WHERE i.call = g.call AND i.place IS g.place
		ORDER BY ns DESC
		LIMIT 1) AS mostly, done_call AS waited_in, done_place AS waited_at
FROM g
LEFT JOIN done_part d ON d.place = coalesce(g.place, 'unknown') AND d.call = g.call
GROUP BY g.place, g.call
HAVING sum(ns) > 0
ORDER BY sum(ns) DESC, 1, 2
LIMIT :top
