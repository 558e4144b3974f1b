-- SPDX-License-Identifier: BSD-3-Clause
-- case: a run that was analyzed and came to its end
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_blame_cell (rank, direct) VALUES (0, 256);
-- then:
INSERT INTO remedy_tried VALUES (1, 'balance', NULL, 300, 3, 1);
-- rows:
-- late|tried|cut_short
-- 1|1|0

-- case: one side knows nobody that is late
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_blame_cell (rank, direct) VALUES (0, 256);
-- rows: values
-- 0|0|0
