-- SPDX-License-Identifier: BSD-3-Clause
-- case: tryst's time in calls is a share of the run, and init and finalize are those of the slowest rank
-- Rank 1 does not say how long its rows took: it does not count, although its 100 ns are more.
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (0, 'init_overhead_ns', 5), (1, 'init_overhead_ns', 7),
	(0, 'finalize_overhead_ns', 3), (0, 'rows_ns', 4), (1, 'finalize_overhead_ns', 100);
INSERT INTO call_cell
SELECT column1, 0, id, 1, 1, 0, 90, 90, column3, 0
FROM (VALUES (0, 'MPI_Send', 20), (1, 'MPI_Send', 30), (1, 'MPI_Finalize', 1000)) JOIN call_name ON name = column2;
-- rows:
-- tool_ns|share_pct|init_longer_ns|finalize_longer_ns
-- 50|2.5|7|7

-- case: nothing was called
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- rows:
-- tool_ns|share_pct|init_longer_ns|finalize_longer_ns
