-- SPDX-License-Identifier: BSD-3-Clause
-- How much was waited in messages, as one side can know it. Needs what verdict_limits.sql makes.
SELECT wait_ns, 100.0 * wait_ns / nullif(run_ns, 0) AS share_pct, not_predicted_ns,
	verdict_limits.*, run_ns > 0 AS ran
FROM (
	SELECT sum(ns) FILTER (WHERE part = 'waits') AS wait_ns,
		sum(ns) FILTER (WHERE part = 'run') AS run_ns,
		sum(ns) FILTER (WHERE part = 'unpredicted') AS not_predicted_ns
	FROM rank_time)
JOIN verdict_limits
