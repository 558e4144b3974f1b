-- SPDX-License-Identifier: BSD-3-Clause
-- Facts of one run, for the tables in which two are put side by side.

-- query held: time in which a rank could have run and had no CPU
SELECT rank, CAST(value AS INTEGER) FROM run WHERE key = 'cpu_wait_ns'

-- query calls: time in MPI by callsite, without what starts and ends it
SELECT 1, rank, callsite, call, '', sum(count), sum(time_ns), max(max_ns) FROM call_profile
WHERE call NOT IN ('MPI_Init', 'MPI_Init_thread', 'MPI_Finalize') GROUP BY rank, callsite, call

-- query times: time of the ranks by part
SELECT 2, t.rank, -t.part, (SELECT name FROM part_name n WHERE n.part = t.part),
	(SELECT plain FROM part_name n WHERE n.part = t.part), 1, ns, NULL
FROM rank_time t

-- query time_sites: the parts as places, which sort as they stand in the report
SELECT rank, -part, NULL, NULL, printf('%02d', (SELECT n.rowid FROM part_name n WHERE n.part = t.part)),
	NULL, NULL, NULL, NULL
FROM rank_time t

-- query live_waits: waits as one side sees them
SELECT 0, rank, callsite, call, coalesce(cause_hint, 'unknown'), sum(count), sum(wait_ns), max(max_wait_ns)
FROM wait_profile WHERE peer IS NOT NULL GROUP BY rank, callsite, call, cause_hint HAVING sum(wait_ns) > 0
