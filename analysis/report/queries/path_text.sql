-- SPDX-License-Identifier: BSD-3-Clause
-- The same in words.
WITH row AS (SELECT * FROM path_row),
	total AS (SELECT nullif(value, 0) AS ns FROM match_info WHERE key = 'path_run_ns')
SELECT *
FROM (
	SELECT printf('%s (%.1f %%) rank%s %s%s %s%s', duration(row.ns),
			100.0 * row.ns / total.ns, iif(ranks GLOB '*[^0-9]*', 's', ''), ranks,
			coalesce(' thread ' || thread, ''), activity,
			iif(imbalance_ns * 20 > row.ns, '; ' || duration(imbalance_ns)
				|| ' beyond the mean of all ranks', ''))
	FROM row
	LEFT JOIN total
	WHERE row.ns > 0
	ORDER BY row.ns DESC, activity, thread
	LIMIT :top)
UNION ALL SELECT printf('... and %,d more; --top shows them', count(*) - :top)
FROM row
WHERE ns > 0
HAVING count(*) > :top
UNION ALL SELECT 'For whom a thread waits of its own rank (joins, barriers of OpenMP) is not '
	|| 'seen: it computes then.'
WHERE EXISTS (SELECT 1 FROM row WHERE thread NOT NULL)
UNION ALL SELECT printf('In %s (%.1f %%) a rank may have waited for another one, which is not '
		|| 'known: then that one is on the path.', unknown_call,
		100.0 * sum(row.ns) / total.ns)
FROM row
JOIN total
WHERE unknown_call NOT NULL
GROUP BY unknown_call
HAVING 20 * sum(row.ns) > total.ns
