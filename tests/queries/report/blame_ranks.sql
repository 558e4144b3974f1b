-- SPDX-License-Identifier: BSD-3-Clause
-- case: a rank has the sum, and the activity that cost most
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (1, call('MPI_Send'), 5, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, passed)
VALUES (1, 1, 5, 6, 60 * 256, 0), (1, 0, 5, 0, 100 * 256, 0), (2, 1, 5, 6, 30 * 256, 0), (3, 1, 5, 6, 0, 0);
-- rows:
-- rank|ns|activity
-- 1|160|in MPI_Send at unknown
-- 2|30|computing
