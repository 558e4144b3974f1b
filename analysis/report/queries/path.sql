-- SPDX-License-Identifier: BSD-3-Clause
-- What the run would have to do faster to end earlier.
WITH row AS (SELECT * FROM path_row),
	total AS (SELECT nullif(value, 0) AS ns FROM match_info WHERE key = 'path_run_ns')
SELECT activity AS "where", ranks, thread, row.ns AS path_ns,
	100.0 * row.ns / total.ns AS share_pct, imbalance_ns
FROM row
LEFT JOIN total
WHERE row.ns > 0
ORDER BY row.ns DESC, activity, thread
LIMIT :top
