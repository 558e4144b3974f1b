-- SPDX-License-Identifier: BSD-3-Clause
-- case: what a rank did, by what the waits for it cost; of threads and activities each its own row
-- Rank 1 computed behind callsite 6 for 200 ns directly and 100 passed on. It is also in a call. 0 ns are no row.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (1, call('MPI_Send'), 5, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, passed)
VALUES (1, 1, 5, 6, 150 * 256, 100 * 256), (1, 1, 5, 7, 50 * 256, 0), (1, 0, 5, 0, 100 * 256, 0), (2, 1, 5, 6, 0, 0);
-- rows:
-- rank|thread|direct_ns|passed_on_ns|blame_ns|share_pct|doing|call|place|after|one_thread|of_all|heavy|heavy_pct|no_cpu_pct|asleep_pct
-- 1|0|200|100|300|75|computation|-|-|-|-|2|-|-|-|-
-- 1|0|100|0|100|25|call|MPI_Send|unknown|-|-|2|-|-|-|-
