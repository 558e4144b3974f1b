-- SPDX-License-Identifier: BSD-3-Clause
-- path_row: the critical path by activity. The path's cells count all time after a rank's last
-- call as computing. open_ns: how much of it the rank spent inside a call that has not
-- returned. unknown_call: calls that wait for other ranks, if it is unknown for which.
CREATE TEMP VIEW path_row AS
WITH last AS (SELECT rank, thread, call, callsite, ns FROM open_call GROUP BY rank, thread),
	cell AS (
	SELECT c.*, l.call, l.callsite AS open_callsite,
		coalesce(iif(c.what = 1 AND c.callsite = 0, min(path_ns, l.ns), 0), 0) AS open_ns
	FROM critical_path_cell c
	LEFT JOIN last l ON l.rank = c.rank AND l.thread = c.thread),
	p AS (
	SELECT activity(p.what, k.call, s.place, a.place) AS activity, p.rank,
		iif(p.rank IN (SELECT rank FROM threaded), p.thread, NULL) AS thread,
		sum(path_ns - open_ns) AS ns, sum(max(imbalance_ns - open_ns, 0)) AS imbalance_ns
	FROM cell p
	LEFT JOIN site s ON s.rank = p.rank AND s.callsite = p.callsite
	LEFT JOIN site_call k ON k.rank = p.rank AND k.callsite = p.callsite
	LEFT JOIN site a ON a.rank = p.rank AND a.callsite = p.after
	GROUP BY 1, 2, 3
	UNION ALL SELECT printf('in %s at %s (not returned)', call, coalesce(s.place, 'unknown')),
		p.rank, iif(p.rank IN (SELECT rank FROM threaded), p.thread, NULL), sum(open_ns),
		0
	FROM cell p
	LEFT JOIN site s ON s.rank = p.rank AND s.callsite = open_callsite
	WHERE open_ns > 0
	GROUP BY 1, 2, 3), row AS (
	SELECT activity, thread, rank_list(rank) AS ranks, sum(ns) AS ns,
		sum(imbalance_ns) AS imbalance_ns
	FROM (SELECT * FROM p ORDER BY activity, rank)
	GROUP BY activity, thread),
	total AS (SELECT nullif(value, 0) AS ns FROM match_info WHERE key = 'path_run_ns')
SELECT *, CASE
	WHEN activity GLOB 'in other calls*' THEN 'other calls'
	WHEN activity GLOB 'in MPI_Win_wait *' OR activity GLOB 'in MPI_Win_start *'
		OR activity GLOB 'in MPI_Win_complete *' OR activity GLOB 'in MPI_Win_lock*'
		OR activity GLOB 'in MPI_Win_unlock*' OR activity GLOB 'in MPI_Win_flush*'
		THEN substr(activity, 4, instr(activity, ' at ') - 4) END AS unknown_call
FROM row;
