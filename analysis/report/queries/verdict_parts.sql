-- SPDX-License-Identifier: BSD-3-Clause
-- What the verdict is about: waits in messages and in collectives with one list of reasons
-- (wait_reason), the cause with most of it (most_cause), where that is (most_place), how much
-- there is (waited_total), and for whom most is waited (late_most).
CREATE TEMP TABLE wait_reason AS
SELECT e.cause, (SELECT name FROM call_name WHERE id = e.call) AS call,
	coalesce(s.place, 'unknown') AS place, sum(ns) AS ns
FROM exact_part e
LEFT JOIN site s ON s.rank = e.rank AND s.callsite = e.callsite
GROUP BY 1, 2, 3
UNION ALL SELECT (SELECT name FROM coll_state_name WHERE id = c.state),
	(SELECT name FROM call_name WHERE id = c.call), coalesce(s.place, 'unknown'), sum(ns)
FROM coll_part c
LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite
GROUP BY 1, 2, 3;

CREATE TEMP TABLE reason_part AS
SELECT cause, sum(ns) AS ns
FROM wait_reason
GROUP BY cause;

CREATE TEMP TABLE most_cause AS
SELECT cause, ns
FROM reason_part
ORDER BY ns DESC
LIMIT 1;

CREATE TEMP TABLE most_place AS
SELECT r.*, done_call, done_place
FROM (
	SELECT call, place, sum(ns) AS ns
	FROM wait_reason
	WHERE cause = (SELECT cause FROM most_cause)
	GROUP BY call, place
	ORDER BY ns DESC, call, place
	LIMIT 1) r
LEFT JOIN done_part d ON d.place = r.place
	AND (SELECT name FROM call_name WHERE id = d.call) = r.call;

CREATE TEMP TABLE waited_total AS
SELECT max(coalesce(sum(ns), 0), 0) AS ns, sum(max(ns, 0)) AS waited_ns,
	(SELECT sum(ns) FROM rank_time WHERE part = 'run') AS run_ns
FROM reason_part;

-- Of what is blamed where that is more than the waiting, with waits in windows and files.
CREATE TEMP TABLE blamed_total AS
SELECT sum(1.0 * direct + passed) / 256.0 AS ns
FROM blame_cell;

CREATE TEMP TABLE late_most AS
SELECT rank, 100.0 * sum(1.0 * direct + passed) / 256.0 / nullif(max(blamed_total.ns,
			coalesce(waited_ns, 0)), 0) AS pct, blamed_total.ns AS blamed_ns
FROM blame_cell, blamed_total, waited_total
GROUP BY rank
ORDER BY sum(1.0 * direct + passed) DESC, rank
LIMIT 1;

-- As in bottleneck_blame.sql: how much of being late is by those who wait as much for others.
CREATE TEMP TABLE late_turns AS
SELECT 100.0 * sum(min(b.part, w.part)) AS pct
FROM (
	SELECT rank, sum(1.0 * direct + passed) / sum(sum(1.0 * direct + passed)) OVER () AS part
	FROM blame_cell
	GROUP BY rank) b
JOIN (
	SELECT rank, 1.0 * sum(ns) / sum(sum(ns)) OVER () AS part
	FROM rank_time
	WHERE part IN ('waits', 'collective_waits')
	GROUP BY rank) w USING (rank);

-- The rank that has more than half of the blame. None if ranks are late in turns: then it is chance which one has most.
CREATE TEMP VIEW late_one AS
SELECT rank, pct
FROM late_most
WHERE pct > 50 AND NOT EXISTS (SELECT 1 FROM late_turns t WHERE t.pct >= 90);
