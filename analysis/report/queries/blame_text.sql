-- SPDX-License-Identifier: BSD-3-Clause
-- The same in words.
WITH b AS (SELECT * FROM blame_row), total AS (SELECT sum(blame_ns) AS ns FROM b)
SELECT printf('%s (%.1f %%) rank %d%s %s%s', duration(blame_ns), 100.0 * blame_ns / total.ns,
		rank, iif(rank IN (SELECT rank FROM threaded), ' thread ' || thread, ''),
		activity, iif(passed_ns * 20 > blame_ns, '; ' || duration(passed_ns)
			|| ' of it passed on by ranks that waited themselves', ''))
FROM (
	SELECT *
	FROM b
	WHERE blame_ns > 0
	ORDER BY blame_ns DESC, rank, thread, activity
	LIMIT :top) b, total
UNION ALL SELECT printf('... and %,d more; --top shows them', count(*) - :top)
FROM b
WHERE blame_ns > 0
HAVING count(*) > :top
UNION ALL SELECT printf('%s more of waiting is in messages without rows: for whom is not told',
		duration(sum(ns)))
FROM not_recorded
HAVING sum(ns) > 0
