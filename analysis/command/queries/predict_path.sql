-- SPDX-License-Identifier: BSD-3-Clause
-- The critical path of all ranks by line: calls, and the computation before them.
SELECT coalesce(short_file(f.file) || ':' || f.line, f.function, 'callsite ' || p.callsite) AS "where",
	f.function, what, sum(path_before_ns) AS path_before_ns, sum(path_after_ns) AS path_after_ns,
	sum(path_after_ns) - sum(path_before_ns) AS change_ns
FROM temp.scenario_path p
LEFT JOIN site_row s ON s.rank = p.rank AND s.callsite = p.callsite
LEFT JOIN frame_row f ON f.rank = coalesce(s.first_rank, p.rank)
	AND f.callsite = coalesce(s.first_callsite, p.callsite) AND f.frame = 0
GROUP BY 1, 2, 3 ORDER BY max(sum(path_before_ns), sum(path_after_ns)) DESC LIMIT :top
