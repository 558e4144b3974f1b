-- SPDX-License-Identifier: BSD-3-Clause
-- case: the mean of all calls at a callsite, and nothing where no call returned
INSERT INTO call_cell
SELECT column1, column2, id, column4, column5, 0, 90, 90, column6, 0
FROM (VALUES (0, 0, 'MPI_Send', 7, 10, 500), (0, 1, 'MPI_Send', 7, 10, 700), (1, 0, 'MPI_Recv', 7, 2, 41),
	(1, 0, 'MPI_Recv', 8, 0, 41))
JOIN call_name ON name = column3;
-- rows:
-- rank|callsite|tool_ns
-- 0|7|60
-- 1|7|20
