-- SPDX-License-Identifier: BSD-3-Clause
-- case: nothing of an analysis is left, and all of the ranks' rows
INSERT INTO op_row (id) VALUES (first_id(0) + 1);
INSERT INTO match_row (id) VALUES (1); INSERT INTO collective_wait_row (id) VALUES (1); INSERT INTO alone_row VALUES (1, 10);
INSERT INTO match_info VALUES ('messages', 9); INSERT INTO blame_of_row VALUES (1, 1, 0, 1);
INSERT INTO wait_slot_cell VALUES (1, 1, 1, 1); INSERT INTO accuracy_cell VALUES (1, 1, 1, 1, 1, 1);
INSERT INTO exact_done_cell VALUES (0, 1, 1, 1, 1, 1); INSERT INTO match_summary_cell VALUES (0, 1, 0, 9);
INSERT INTO model_lost_cell VALUES (0, 1, 1, 1, 1, 1); INSERT INTO new_exact_cell (rank) VALUES (0); INSERT INTO new_unhidden_cell (rank) VALUES (0);
INSERT INTO new_blame_cell (rank) VALUES (0); INSERT INTO new_critical_path_cell (rank) VALUES (0);
-- ask: SELECT (SELECT count(*) FROM match_row) + (SELECT count(*) FROM collective_wait_row) + (SELECT count(*) FROM alone_row)
-- ask: + (SELECT count(*) FROM match_info) + (SELECT count(*) FROM blame_of_row) + (SELECT count(*) FROM wait_slot_cell)
-- ask: + (SELECT count(*) FROM accuracy_cell) + (SELECT count(*) FROM exact_done_cell) + (SELECT count(*) FROM exact_cell)
-- ask: + (SELECT count(*) FROM match_summary_cell) + (SELECT count(*) FROM unhidden_cell) + (SELECT count(*) FROM blame_cell)
-- ask: + (SELECT count(*) FROM critical_path_cell) + (SELECT count(*) FROM model_lost_cell) AS left, (SELECT count(*) FROM op_row) AS ops
-- rows:
-- left|ops
-- 0|1
