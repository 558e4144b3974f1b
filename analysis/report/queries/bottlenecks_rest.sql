-- SPDX-License-Identifier: BSD-3-Clause
-- The bottlenecks that the list for people leaves out, for the run would be hardly shorter without
-- them: how many, and their waits. None is worth more than its waits.
SELECT count(*) AS others, sum(coalesce(b.wait_ns, b.unhidden_ns)) AS lost_ns, t.run_ns, t.interval_ns
FROM bottleneck b
LEFT JOIN worth_told w ON w.bottleneck = b.rowid
JOIN worth_run t
WHERE coalesce(worth_ns, b.wait_ns, b.unhidden_ns) <= interval_ns
HAVING count(*) > 0
