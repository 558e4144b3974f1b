-- SPDX-License-Identifier: BSD-3-Clause
-- case: what a late rank did
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO new_blame_cell (rank, thread, what, callsite, after, direct, passed)
VALUES (0, 0, 1, 1, 0, 25600, 2560), (0, 0, 1, 1, 1, 5120, 0);
-- rows:
-- rank|what|after_function|after_line|function|file|line|blame_ns|direct_ns|passed_ns
-- 0|computation|-|-|give|a.c|7|110|100|10
-- 0|computation|give|7|give|a.c|7|20|20|0
