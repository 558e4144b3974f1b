-- SPDX-License-Identifier: BSD-3-Clause
-- What does tryst itself cost? One row; share_pct is of the ranks' run time.
-- finalize_longer_ns is NULL where no rank has said how long its rows took. Needs the
-- report's rank_time.
SELECT sum(ns) AS tool_ns,
	100.0 * sum(ns) / nullif((SELECT sum(ns) FROM rank_time WHERE part = 'run'), 0) AS share_pct,
	(SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'init_overhead_ns')
	AS init_longer_ns,
	(
		SELECT max(ns)
		FROM (
			SELECT sum(CAST(value AS INTEGER)) AS ns
			FROM run
			WHERE key IN ('finalize_overhead_ns', 'rows_ns')
			GROUP BY rank
			HAVING max(key) = 'rows_ns')) AS finalize_longer_ns
FROM rank_time
WHERE part = 'tool'
GROUP BY NULL
