-- SPDX-License-Identifier: BSD-3-Clause
-- case: the longest activity first, with its share of the run; what took no time is left out
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO match_info VALUES ('path_run_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 5, 1), (1, call('MPI_Send'), 5, 1);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 5, 0, 'main', 'a.c', 1), (1, 5, 0, 'main', 'a.c', 1), (0, 8, 0, 'main', 'a.c', 8);
INSERT INTO new_critical_path_cell (rank, what, callsite, after, path_ns, imbalance_ns, no_cpu_ns, blocked_ns)
VALUES (0, 0, 5, 0, 300, 30, 0, 0), (1, 0, 5, 0, 100, 10, 0, 0), (0, 1, 0, 0, 500, 250, 24, 100), (1, 1, 5, 0, 0, 0, 0, 0);
-- rows:
-- doing|call|place|after|is_open|ranks|nranks|thread|path_ns|share_pct|imbalance_ns|of_all|heavy|heavy_pct|no_cpu_ns|blocked_outside_ns|host|at_least
-- computation|-|-|-|0|0|1|-|500|50|250|2|-|-|-|100|-|0
-- call|MPI_Send|main a.c:1|-|0|0,1|2|-|400|40|40|2|-|-|-|-|-|0
