-- SPDX-License-Identifier: BSD-3-Clause
-- Waits for late senders, late receivers and in collectives, by the line of the call, all ranks together.
SELECT coalesce(short_file(f.file) || ':' || f.line, f.function, 'callsite ' || c.callsite) AS "where",
	f.function, cause, sum(wait_before_ns) AS wait_before_ns, sum(wait_after_ns) AS wait_after_ns,
	sum(wait_after_ns) - sum(wait_before_ns) AS change_ns
FROM temp.scenario_callsite c
LEFT JOIN site_row s ON s.rank = c.rank AND s.callsite = c.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s.first_rank, c.rank)
	AND f.callsite = coalesce(s.first_callsite, c.callsite) AND f.frame = 0
GROUP BY 1, 2, 3 ORDER BY max(sum(wait_before_ns), sum(wait_after_ns)) DESC LIMIT :top
