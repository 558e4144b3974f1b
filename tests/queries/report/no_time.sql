-- SPDX-License-Identifier: BSD-3-Clause
-- case: a rank without time in a part that others have has 0 ns in it
-- No rank polls: that part has no rows.
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO call_cell SELECT 0, 0, id, 1, 1, 0, 200, 200, 0, 0 FROM call_name WHERE name = 'MPI_Recv';
-- ask: SELECT rank, part, ns FROM rank_time WHERE part IN ('run', 'mpi', 'polling') ORDER BY part, rank
-- rows:
-- rank|part|ns
-- 0|mpi|200
-- 1|mpi|0
-- 0|run|1000
-- 1|run|1000
