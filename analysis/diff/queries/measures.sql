-- SPDX-License-Identifier: BSD-3-Clause
-- The measure ?1 of --fail-if in both runs. Times but run are sums over all ranks. NULL: unknown.
SELECT ?1 AS measure, a, b
FROM (
	SELECT 'run' AS name, (SELECT run_ns FROM run WHERE side = 0) AS a, (SELECT run_ns FROM run WHERE side = 1) AS b
	UNION ALL
	SELECT 'messages', (SELECT coalesce(messages, 0) FROM run WHERE side = 0),
		(SELECT coalesce(messages, 0) FROM run WHERE side = 1)
	UNION ALL
	SELECT 'cpu_shortage', sum(ns) FILTER (WHERE side = 0), sum(ns) FILTER (WHERE side = 1)
	FROM held
	UNION ALL
	SELECT 'waits', coalesce(sum(a_ns), 0), coalesce(sum(b_ns), 0)
	FROM cause_sum
	UNION ALL
	SELECT 'calls', coalesce(sum(a_count), 0), coalesce(sum(b_count), 0)
	FROM row
	WHERE what = 'call'
	UNION ALL
	SELECT 'mpi', coalesce(sum(a_ns), 0), coalesce(sum(b_ns), 0)
	FROM row
	WHERE what = 'time' AND cause = 'in MPI'
	UNION ALL
	SELECT 'tryst', coalesce(sum(a_ns), 0), coalesce(sum(b_ns), 0)
	FROM row
	WHERE what = 'time' AND cause = 'tryst itself'
	UNION ALL
	SELECT 'computation', coalesce(sum(iif(cause = 'run', a_ns, -a_ns)), 0), coalesce(sum(iif(cause = 'run', b_ns, -b_ns)), 0)
	FROM row
	WHERE what = 'time' AND cause IN ('run', 'in MPI', 'tryst itself')
	UNION ALL
	SELECT coalesce(cause, ''), sum(a_ns), sum(b_ns)
	FROM cause_sum
	GROUP BY 1
	UNION ALL
	SELECT ?1, 0, 0)
WHERE name = ?1
LIMIT 1
