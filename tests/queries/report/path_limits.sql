-- SPDX-License-Identifier: BSD-3-Clause
-- case: of calls that may wait for unknown ranks, those with a twentieth of the run are named
INSERT INTO match_info VALUES ('path_run_ns', 1000);
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Win_wait'), 5, 1), (0, call('MPI_Send'), 6, 1);
INSERT INTO new_critical_path_cell (rank, what, callsite, after, path_ns, imbalance_ns)
VALUES (0, 0, 5, 0, 300, 30), (0, 0, 6, 0, 100, 10), (0, 2, 6, 5, 50, 10);
-- rows:
-- of_threads|call|share_pct
-- 0|MPI_Win_wait|30
