-- SPDX-License-Identifier: BSD-3-Clause
-- case: each call adds the cost of its kind, and no thread gets more than its time outside of calls
-- Thread 0: 5 + 10 calls of 7 ns, and 4 calls of 2 ns, are 83 ns. Thread 1 was outside of calls for 60 ns, and 120 ns are
-- too many. MPI_Init is no part of the run: nothing of it is cut.
INSERT INTO run VALUES (3, 'end_ns', 1000), (3, 'op_cost_ns', 7), (3, 'call_cost_ns', 2);
INSERT INTO new_wait_cell (rank, callsite, code) VALUES (3, 1, pack('wait_code', 'call=MPI_Send kind=send'));
INSERT INTO call_cell
SELECT 3, column1, id, 1, column3, 0, column4, column4, column5, 0
FROM (VALUES (0, 'MPI_Send', 10, 100, 5), (0, 'MPI_Barrier', 4, 100, 0), (1, 'MPI_Send', 10, 940, 50),
	(1, 'MPI_Init', 1, 500, 300))
JOIN call_name ON name = column2;
-- ask: SELECT thread, name, tool_ns FROM call_cell JOIN call_name ON id = call
-- ask: UNION ALL SELECT rank, key, value FROM run WHERE key = 'tool_ns' ORDER BY 1, 2
-- rows:
-- thread|name|tool_ns
-- 0|MPI_Barrier|8
-- 0|MPI_Send|75
-- 1|MPI_Init|302
-- 1|MPI_Send|60
-- 3|tool_ns|445
