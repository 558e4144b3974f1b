-- SPDX-License-Identifier: BSD-3-Clause
-- Where do ranks wait in collectives, by place, function and state? The longest first, times
-- in ns, run_pct of the ranks' run time. late_rank: the rank that the others waited for most, with late_pct of the
-- row's waits. waited_in, waited_at: the call that completed most of it, where that is another one. Needs the report's
-- coll_part, site, rank_time and done_part.
WITH c AS (
	SELECT s.place, call, state, late_rank, sum(count) AS count, sum(ns) AS ns,
		max(longest_ns) AS longest_ns
	FROM coll_part p
	LEFT JOIN site s ON s.rank = p.rank AND s.callsite = p.callsite
	GROUP BY 1, 2, 3, 4)
SELECT coalesce(c.place, 'unknown') AS "where",
	(SELECT name FROM call_name WHERE id = c.call) AS call,
	(SELECT name FROM coll_state_name WHERE id = c.state) AS state, sum(count) AS count,
	sum(ns) AS wait_ns,
	100.0 * sum(ns) / (SELECT sum(ns) FROM rank_time WHERE part = 'run') AS run_pct,
	max(longest_ns) AS longest_ns,
	(
		SELECT nullif(late_rank, -1)
		FROM c i
		WHERE i.place IS c.place AND i.call = c.call AND i.state = c.state
		ORDER BY ns DESC, late_rank
		LIMIT 1) AS late_rank, 100.0 * max(ns) / nullif(sum(ns), 0) AS late_pct,
	done_call AS waited_in, done_place AS waited_at
FROM c
LEFT JOIN done_part d ON d.place = coalesce(c.place, 'unknown') AND d.call = c.call
GROUP BY c.place, c.call, c.state
ORDER BY sum(ns) DESC, 1, 2
LIMIT :top
