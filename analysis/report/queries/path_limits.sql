-- SPDX-License-Identifier: BSD-3-Clause
-- Limits of the critical path. of_threads: waits for threads of the own rank are unknown. The other rows: calls
-- with much of the path's time that wait for unknown ranks; NULL: calls that are not known one by one.
SELECT 1 AS of_threads, NULL AS call, NULL AS share_pct
WHERE EXISTS (SELECT 1 FROM path_row WHERE thread NOT NULL)
UNION ALL SELECT 0, iif(doing = 'other', NULL, call) AS waiting, 100.0 * sum(ns) / run_ns
FROM path_row
JOIN (SELECT nullif(value, 0) AS run_ns FROM match_info WHERE key = 'path_run_ns')
WHERE for_unknown
GROUP BY waiting
HAVING 20 * sum(ns) > run_ns
