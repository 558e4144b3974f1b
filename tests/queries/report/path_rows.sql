-- SPDX-License-Identifier: BSD-3-Clause
-- case: activities of the critical path over ranks; after the last call a rank is inside what has not returned
-- Rank 0 entered a receive at 800 of 1000 ns: the last 200 of its 500 are not computing, nor is that imbalance.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO in_call_row (id, call, callsite, enter) VALUES (first_id(0), call('MPI_Recv'), 8, 800);
INSERT INTO match_info VALUES ('path_run_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 5, 1), (1, call('MPI_Send'), 5, 1);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 5, 0, 'main', 'a.c', 1), (1, 5, 0, 'main', 'a.c', 1), (0, 8, 0, 'main', 'a.c', 8);
INSERT INTO new_critical_path_cell (rank, what, callsite, after, path_ns, imbalance_ns)
VALUES (0, 0, 5, 0, 300, 30), (1, 0, 5, 0, 100, 10), (0, 1, 0, 0, 500, 250), (1, 1, 5, 0, 0, 0);
-- ask: SELECT ranks, ns, imbalance_ns, for_unknown FROM path_row ORDER BY ns DESC
-- rows:
-- ranks|ns|imbalance_ns|for_unknown
-- 0,1|400|40|0
-- 0|300|50|0
-- 0|200|0|0
-- 1|0|0|0

-- case: calls that wait for others, where it is unknown for which
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Win_wait'), 5, 1), (0, call('MPI_Send'), 6, 1);
INSERT INTO new_critical_path_cell (rank, what, callsite, after, path_ns, imbalance_ns)
VALUES (0, 0, 5, 0, 300, 30), (0, 0, 6, 0, 100, 10), (0, 2, 6, 5, 50, 10);
-- ask: SELECT ns, doing, call, for_unknown FROM path_row ORDER BY ns DESC
-- rows:
-- ns|doing|call|for_unknown
-- 300|call|MPI_Win_wait|1
-- 100|call|MPI_Send|0
-- 50|other|-|1
