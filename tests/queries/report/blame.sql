-- SPDX-License-Identifier: BSD-3-Clause
-- case: what a rank did, by what the waits for it cost; of threads and activities each its own row
-- Rank 1 computed behind callsite 6 for 200 ns directly and 100 passed on. It is also in a call. 0 ns are no row.
-- 14 ns asleep of 300 ns are below 5 %.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'host', 'a'), (1, 'samples_lost_bytes', 8);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (1, call('MPI_Send'), 5, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, passed, no_cpu, blocked)
VALUES (1, 1, 5, 6, 150 * 256, 100 * 256, 40 * 256, 14 * 256), (1, 1, 5, 7, 50 * 256, 0, 10 * 256, 0),
	(1, 0, 5, 0, 100 * 256, 0, 0, 0), (2, 1, 5, 6, 0, 0, 0, 0);
-- rows:
-- rank|thread|direct_ns|passed_on_ns|blame_ns|share_pct|doing|call|place|after|one_thread|of_all|heavy|heavy_pct|no_cpu_ns|blocked_outside_ns|host|at_least
-- 1|0|200|100|300|75|computation|-|-|-|-|2|-|-|50|-|a|1
-- 1|0|100|0|100|25|call|MPI_Send|unknown|-|-|2|-|-|-|-|a|1
