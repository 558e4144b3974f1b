-- SPDX-License-Identifier: BSD-3-Clause
-- row.machine_ns: by how much CPU shortage may have changed the row, as in diff.h. held_more:
-- how much longer a rank lacked a CPU in B than in A. part: the share of a row that belongs to
-- one rank. late_sender, late_receiver, wrong_order and wait_at_* are waits for other ranks, if
-- the times of both sides are known. A rank that lacked a CPU itself waits less for others, not
-- more.
CREATE TEMP TABLE held_more (rank INTEGER PRIMARY KEY, ns INTEGER);
INSERT INTO held_more SELECT rank, sum(iif(side, ns, -ns)) FROM held GROUP BY rank;

CREATE TEMP TABLE machine AS
SELECT difference, 0.1 * (SELECT coalesce(sum(ns), 0) FROM held) AS chance_ns,
	difference + (SELECT abs(coalesce(sum(iif(side, ns, -ns)), 0)) FROM cell
		WHERE what = 'time' AND cause = 'run') AS lost
FROM (SELECT coalesce(sum(abs(ns)), 0) AS difference FROM held_more);

CREATE TEMP TABLE part AS
SELECT what, s.id, call, cause, c.rank,
	max(abs(sum(iif(c.side = 0, ns, 0))), abs(sum(iif(c.side = 1, ns, 0)))) AS ns
FROM cell c LEFT JOIN site s ON s.side = c.side AND s.rank = c.rank AND s.callsite = c.callsite
GROUP BY 1, 2, 3, 4, 5;
CREATE INDEX part_of ON part (what, id, call, cause);

UPDATE row SET machine_ns = (
	SELECT min(lost, coalesce((SELECT sum(min(p.ns, difference - iif(what = 'wait'
			AND (cause IN ('late_sender', 'late_receiver', 'wrong_order') OR cause LIKE 'wait_at_%')
			AND b_cause IS NULL AND (SELECT min(both_sides) FROM run) AND (row.b_ns > row.a_ns) = (h.ns > 0),
			abs(coalesce(h.ns, 0)), 0)))
		FROM part p LEFT JOIN held_more h USING (rank)
		WHERE p.what = row.what AND p.id IS row.id AND p.call IS row.call AND p.cause IS row.cause),
		0))
	FROM machine);
