-- SPDX-License-Identifier: BSD-3-Clause
-- case: cells of one activity add up, in whole nanoseconds
-- Half a nanosecond each, of two callsites on one line.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (1, 5, 0, 'main', 'a.c', 1), (1, 6, 0, 'main', 'a.c', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (1, call('MPI_Send'), 5, 1), (1, call('MPI_Send'), 6, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, passed)
VALUES (1, 0, 5, 0, 128, 0), (1, 0, 6, 0, 128, 256);
-- ask: SELECT rank, thread, doing, call, place, after, direct_ns, passed_ns, blame_ns FROM blame_row
-- rows:
-- rank|thread|doing|call|place|after|direct_ns|passed_ns|blame_ns
-- 1|0|call|MPI_Send|main a.c:1|-|1|1|2
