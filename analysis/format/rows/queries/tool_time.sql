-- SPDX-License-Identifier: BSD-3-Clause
-- The time that tryst itself took. Chunk writes and new callsites were measured. The rest is the
-- number of calls times the cost of one, which the shim measured at MPI_Init beyond the call's own
-- time (keys op_cost_ns: calls that post messages, call_cost_ns: all others).
UPDATE call_cell SET tool_ns = tool_ns + coalesce(CAST(count * (SELECT value FROM run
	WHERE key = CASE WHEN call IN (SELECT call_id FROM wait_cell_fields) THEN 'op_cost_ns'
		ELSE 'call_cost_ns' END) AS INTEGER), 0);

-- A CPU may have been slower at MPI_Init than later. Each thread gets no more than its time outside
-- of calls.
UPDATE call_cell SET tool_ns = CAST(tool_ns * (1.0 * most / tool) AS INTEGER)
FROM (SELECT thread AS of,
		(SELECT CAST(value AS INTEGER) FROM run WHERE key = 'end_ns') - sum(time_ns) AS most,
		sum(tool_ns) AS tool
	FROM call_cell_fields
	WHERE NOT around
	GROUP BY thread HAVING most >= 0 AND tool > most)
WHERE thread = of AND call NOT IN (SELECT call_id FROM call_cell_fields WHERE around);

INSERT OR REPLACE INTO run SELECT rank, 'tool_ns', sum(tool_ns) FROM call_cell GROUP BY rank;
