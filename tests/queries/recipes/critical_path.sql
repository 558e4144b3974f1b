-- SPDX-License-Identifier: BSD-3-Clause
-- case: what is on the path
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO match_info VALUES ('path_run_ns', 1000);
INSERT INTO new_critical_path_cell (rank, thread, what, callsite, after, path_ns, imbalance_ns) VALUES (0, 0, 1, 1, 0, 600, 0), (1, 0, 0, 2, 1, 400, 0);
-- rows:
-- rank|what|function|file|line|path_ns|percent
-- 0|computation|give|a.c|7|600|60
-- 1|call|take|a.c|9|400|40
