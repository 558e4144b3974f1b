-- SPDX-License-Identifier: BSD-3-Clause
-- Facts of one run, for the tables in which two are put side by side.

-- query held: time in which a rank could have run and had no CPU
SELECT rank, ns FROM cpu_shortage

-- query calls: time in MPI by callsite, without what starts and ends it
SELECT 'call', rank, callsite, call, '', sum(count), sum(time_ns), max(max_ns) FROM call_cell_fields
WHERE NOT around GROUP BY rank, callsite, call

-- query times: time of the ranks by part
SELECT 'time', t.rank, -n.rowid, n.name, n.plain, 1, ns, NULL
FROM rank_time t JOIN part_name n USING (part)

-- query time_sites: the parts as places, which sort as they stand in the report
SELECT rank, -n.rowid, NULL, NULL, printf('%02d', n.rowid), NULL, NULL, NULL, NULL
FROM rank_time t JOIN part_name n USING (part)

-- query live_waits: waits as one side sees them
SELECT 'wait', rank, callsite, call, coalesce(cause_hint, 'unknown'), sum(count), sum(wait_ns), max(max_wait_ns)
FROM wait_profile WHERE peer IS NOT NULL GROUP BY rank, callsite, call, cause_hint HAVING sum(wait_ns) > 0
