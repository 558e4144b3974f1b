-- SPDX-License-Identifier: BSD-3-Clause
-- Where rendezvous was waited for, as one side can know it. People (:for_data 0) get what is a
-- hundredth of all waits. withheld: CPU loss may have distorted the remedy.
SELECT coalesce(s.place, 'unknown') AS "where", call, cause_hint,
	count(DISTINCT b.rank || ' ' || b.peer) AS pairs, sum(count) AS count,
	min(min_bytes) AS least_bytes, max(max_bytes) AS most_bytes, sum(wait_ns) AS wait_ns,
	iif(withheld, NULL, remedy) AS remedy, eager_max_bytes, unconfirmed, withheld
FROM rendezvous_bottlenecks b
LEFT JOIN site s ON s.rank = b.rank AND s.callsite = b.callsite
JOIN advice_limits
GROUP BY 1, 2, 3, b.remedy, eager_max_bytes, unconfirmed
HAVING :for_data
	OR sum(wait_ns) >= 0.01 * (SELECT sum(wait_ns) FROM wait_cell WHERE peer >= 0)
ORDER BY sum(wait_ns) DESC, 1, 2
LIMIT :top
