-- SPDX-License-Identifier: BSD-3-Clause
-- Where do messages wait, as one side can know it? By place and function, the longest first,
-- times in ns, share_pct of these waits. Needs the report's site.
SELECT coalesce(s.place, 'unknown') AS "where", w.call, sum(w.count) AS count,
	sum(w.wait_ns) AS wait_ns,
	100.0 * sum(w.wait_ns) / nullif((SELECT sum(wait_ns) FROM wait_cell WHERE peer >= 0), 0)
	AS share_pct, max(w.max_wait_ns) AS longest_ns
FROM wait_by_callsite w
LEFT JOIN site s ON s.rank = w.rank AND s.callsite = w.callsite
GROUP BY 1, 2
HAVING sum(w.wait_ns) > 0
ORDER BY 4 DESC, 1, 2
LIMIT :top
