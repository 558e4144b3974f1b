-- SPDX-License-Identifier: BSD-3-Clause
-- case: the time of each rank by part
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO new_call_cell (rank, thread, call, callsite, count, time_ns, max_ns, tool_ns)
VALUES (0, 0, call('MPI_Send'), 1, 5, 100, 40, 3), (1, 0, call('MPI_Send'), 1, 5, 50, 30, 2), (1, 0, call('MPI_Wait'), 2, 4, 300, 200, 2);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 900);
-- rows:
-- rank|wall_ns|mpi_ns|tool_ns|outside_ns
-- 1|900|350|4|546
-- 0|1000|100|3|897
