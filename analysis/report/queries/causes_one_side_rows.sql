-- SPDX-License-Identifier: BSD-3-Clause
-- cause_row: waits by cause, as one side can know it. what_helps: withheld if ranks lacked a CPU.
CREATE TEMP VIEW cause_row AS
SELECT coalesce(cause_hint, 'unknown to one side') AS cause, sum(count) AS count,
	sum(wait_ns) AS wait_ns, 100.0 * sum(wait_ns) / nullif((
		SELECT sum(wait_ns)
		FROM wait_cell
		WHERE peer >= 0), 0) AS share_pct, max(max_wait_ns) AS longest_ns,
	iif((SELECT withheld FROM advice_limits), NULL, iif(cause_hint IN ('flow_control', 'late_progress')
		AND EXISTS (SELECT 1 FROM unconfirmed), '(unconfirmed)', helps(cause_hint))) AS
	what_helps
FROM wait_by_cause
GROUP BY cause_hint
HAVING sum(wait_ns) > 0;
