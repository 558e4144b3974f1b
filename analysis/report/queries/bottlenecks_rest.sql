-- SPDX-License-Identifier: BSD-3-Clause
-- The bottlenecks that the list for people leaves out, for the run would be hardly shorter without
-- them: how many, and their waits. bound_ns: none is worth more, nor more than its waits.
SELECT count(*) AS others, sum(ns) AS lost_ns, max(iif(unsure, ns, min(ns, interval_ns))) AS bound_ns, t.run_ns,
	t.interval_ns
FROM (SELECT rowid, coalesce(wait_ns, unhidden_ns) AS ns FROM bottleneck) b
LEFT JOIN worth_told w ON w.bottleneck = b.rowid
JOIN worth_run t
WHERE iif(unsure, ns < 0.01 * coalesce((SELECT ns FROM waited_sum), 0), coalesce(worth_ns, ns) <= interval_ns)
HAVING count(*) > 0
