-- SPDX-License-Identifier: BSD-3-Clause
-- relabel: pairs of causes at one callsite with about the same time. Only A has cause, only B has b_cause. Both
-- become one row, under the cause of A. Only: at least ten times as much as the other run. About the same: the
-- sum of both differs by less than a factor of two. cause_sum: the time of each cause before that.
CREATE INDEX site_key ON site (side, rank, callsite);

CREATE TEMP TABLE cause_sum AS
SELECT s.id, c.call, c.cause, sum(iif(c.side = 0, count, 0)) AS a_count, sum(iif(c.side = 1, count, 0)) AS b_count,
	sum(iif(c.side = 0, ns, 0)) AS a_ns, sum(iif(c.side = 1, ns, 0)) AS b_ns
FROM cell c
LEFT JOIN site s ON s.side = c.side AND s.rank = c.rank AND s.callsite = c.callsite
WHERE c.what = 'wait'
GROUP BY s.id, c.call, c.cause;

CREATE TEMP TABLE relabel AS
SELECT gone.id, gone.call, gone.cause, come.cause AS b_cause
FROM (
	SELECT *, row_number() OVER (PARTITION BY id, call ORDER BY a_ns DESC, cause) AS nth
	FROM cause_sum
	WHERE id NOT NULL AND cause NOT IN ('', 'not_recorded', 'unknown') AND a_ns > 10.0 * max(b_ns, 0)) gone
JOIN (
	SELECT *, row_number() OVER (PARTITION BY id, call ORDER BY b_ns DESC, cause) AS nth
	FROM cause_sum
	WHERE id NOT NULL AND cause NOT IN ('', 'not_recorded', 'unknown') AND b_ns > 10.0 * max(a_ns, 0)) come
	USING (id, call)
WHERE gone.nth = 1 AND come.nth = 1 AND gone.a_ns + come.a_ns < 2.0 * (gone.b_ns + come.b_ns)
	AND gone.b_ns + come.b_ns < 2.0 * (gone.a_ns + come.a_ns);

UPDATE cell SET cause = r.cause
FROM relabel r
JOIN site s USING (id)
WHERE cell.what = 'wait' AND s.side = cell.side AND s.rank = cell.rank AND s.callsite = cell.callsite
	AND r.call = cell.call AND r.b_cause = cell.cause;

UPDATE slot SET cause = r.cause
FROM relabel r
JOIN site s USING (id)
WHERE s.side = slot.side AND s.rank = slot.rank AND s.callsite = slot.callsite AND r.call = slot.call
	AND r.b_cause = slot.cause;
