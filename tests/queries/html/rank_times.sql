-- SPDX-License-Identifier: BSD-3-Clause
-- case: each rank's parts, rank by rank
-- on: report
INSERT INTO run VALUES (1, 'end_ns', 900), (0, 'end_ns', 1000);
INSERT INTO call_cell SELECT 0, 0, id, 1, 1, 0, 200, 200, 0, 0 FROM call_name WHERE name = 'MPI_Recv';
-- rows:
-- rank|part|time_ns
-- 0|collectives|0
-- 0|mpi|200
-- 0|run|1000
-- 0|tool|0
-- 1|collectives|0
-- 1|mpi|0
-- 1|run|900
-- 1|tool|0
