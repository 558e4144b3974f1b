-- SPDX-License-Identifier: BSD-3-Clause
-- path_row: the critical path by what ranks did, where (blame_rows.sql). The path's cells count
-- all time after a rank's last call as computing. open_ns: how much of it the rank spent inside a
-- call that has not returned (is_open). for_unknown: calls that wait for other ranks, if it is
-- unknown for which.
CREATE TEMP VIEW path_row AS
WITH last AS (SELECT rank, thread, call, callsite, ns FROM open_call GROUP BY rank, thread),
	cell AS (
	SELECT c.rank, c.callsite, c.after, path_ns, imbalance_ns, no_cpu_ns, blocked_ns,
		doing(c.what) AS doing,
		iif(c.rank IN (SELECT rank FROM threaded), c.thread, NULL) AS thread,
		l.call AS open_call, l.callsite AS open_callsite,
		coalesce(iif(doing(c.what) = 'computation' AND c.callsite = 0, min(path_ns, l.ns),
				0), 0) AS open_ns
	FROM critical_path_cell c
	LEFT JOIN last l ON l.rank = c.rank AND l.thread = c.thread),
	p AS (
	SELECT doing, iif(doing = 'call', k.call, NULL) AS call,
		iif(doing = 'call', coalesce(s.place, 'unknown'), s.place) AS place,
		iif(doing = 'call', NULL, a.place) AS after, 0 AS is_open, p.rank, thread,
		sum(path_ns - open_ns) AS ns, sum(max(imbalance_ns - open_ns, 0)) AS imbalance_ns,
		sum(no_cpu_ns) AS no_cpu_ns, sum(blocked_ns) AS blocked_ns
	FROM cell p
	LEFT JOIN site s ON s.rank = p.rank AND s.callsite = p.callsite
	LEFT JOIN site_call k ON k.rank = p.rank AND k.callsite = p.callsite
	LEFT JOIN site a ON a.rank = p.rank AND a.callsite = p.after
	GROUP BY 1, 2, 3, 4, 6, 7
	UNION ALL SELECT 'call', open_call, coalesce(s.place, 'unknown'), NULL, 1, p.rank, thread,
		sum(open_ns), 0, 0, 0
	FROM cell p
	LEFT JOIN site s ON s.rank = p.rank AND s.callsite = open_callsite
	WHERE open_ns > 0
	GROUP BY 2, 3, 6, 7)
SELECT doing, call, place, after, is_open, thread, rank_list(rank) AS ranks,
	count(DISTINCT rank) AS nranks, sum(ns) AS ns, sum(imbalance_ns) AS imbalance_ns,
	sum(no_cpu_ns) AS no_cpu_ns, sum(blocked_ns) AS blocked_outside_ns,
	doing = 'other'
		OR coalesce(call IN ('MPI_Win_wait', 'MPI_Win_start', 'MPI_Win_complete')
			OR call GLOB 'MPI_Win_lock*' OR call GLOB 'MPI_Win_unlock*'
			OR call GLOB 'MPI_Win_flush*', 0) AS for_unknown
FROM (SELECT * FROM p ORDER BY doing, call, place, after, is_open, rank)
GROUP BY doing, call, place, after, is_open, thread;
