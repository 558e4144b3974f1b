-- SPDX-License-Identifier: BSD-3-Clause
-- Rows that are not inserted as they are. Of sums, a second row of the same key is added to the first.

-- query call_cell: calls of one function at one place
INSERT INTO call_cell VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
ON CONFLICT (rank, thread, call, callsite) DO UPDATE SET count = count + excluded.count,
	bytes = bytes + excluded.bytes, time_ns = time_ns + excluded.time_ns,
	max_ns = max(max_ns, excluded.max_ns), tool_ns = tool_ns + excluded.tool_ns,
	errors = errors + excluded.errors

-- query wait_cell: operations of one kind, place, peer and size
INSERT INTO wait_cell VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
ON CONFLICT (rank, callsite, code, peer, comm, bytes_log2) DO UPDATE SET count = count + excluded.count,
	bytes = bytes + excluded.bytes, blocked_ns = blocked_ns + excluded.blocked_ns,
	predicted_ns = predicted_ns + excluded.predicted_ns, excess_ns = excess_ns + excluded.excess_ns,
	wait_ns = wait_ns + excluded.wait_ns, max_wait_ns = max(max_wait_ns, excluded.max_wait_ns)

-- query end_phase: when phase ?2 of rank ?1 ended
UPDATE phase_row SET leave = ?3 WHERE rank = ?1 AND seq = ?2

-- query pending: operations that had not ended, without those that were cancelled
SELECT count(*) FROM pending WHERE NOT cancelled

-- query sample_cell: samples of one instruction between two calls
INSERT INTO sample_cell VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (rank, thread, callsite, after, place) DO UPDATE SET count = count + excluded.count

-- query off_cpu_cell: times without a CPU between two calls; ?5: in which way
INSERT INTO off_cpu_cell (rank, thread, callsite, after, what, count, ns, max_ns)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (rank, thread, what, callsite, after) DO UPDATE SET count = count + excluded.count,
	ns = ns + excluded.ns, max_ns = max(max_ns, excluded.max_ns)
