-- SPDX-License-Identifier: BSD-3-Clause
-- The sums of both runs at each site, and their variance. The variance comes from batches of
-- the run where the times of the waits are known, else from the longest wait.
INSERT INTO row (what, id, place, call, cause, a_count, b_count, a_ns, b_ns, variance)
SELECT what, s.id, max(coalesce(s.place, 'unknown')), call, cause,
	sum(iif(c.side = 0, count, 0)), sum(iif(c.side = 1, count, 0)),
	sum(iif(c.side = 0, ns, 0)), sum(iif(c.side = 1, ns, 0)),
	1.0 * max(iif(c.side = 0, coalesce(longest_ns, 0), 0)) * abs(sum(iif(c.side = 0, ns, 0)))
	+ 1.0 * max(iif(c.side = 1, coalesce(longest_ns, 0), 0)) * abs(sum(iif(c.side = 1, ns, 0)))
FROM cell c LEFT JOIN site s ON s.side = c.side AND s.rank = c.rank AND s.callsite = c.callsite
GROUP BY what, s.id, call, cause;

UPDATE row SET variance = v.variance FROM (
	SELECT id, call, cause, sum(variance) AS variance FROM (
		SELECT s.id, call, cause, batch_variance(slot, ns) AS variance
		FROM slot w JOIN site s ON s.side = w.side AND s.rank = w.rank AND s.callsite = w.callsite
		GROUP BY w.side, s.id, call, cause)
	GROUP BY id, call, cause) v
WHERE what <> 'time' AND row.id = v.id AND row.call = v.call AND row.cause = v.cause;

UPDATE row SET b_cause = r.b_cause
FROM relabel r
WHERE row.what = 'wait' AND row.id = r.id AND row.call = r.call AND row.cause = r.cause;
