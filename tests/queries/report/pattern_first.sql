-- SPDX-License-Identifier: BSD-3-Clause
-- case: none
INSERT INTO match_info VALUES ('messages', 9);
-- rows: values

-- case: the one of several with the largest gain
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
INSERT INTO pattern VALUES (1, 'small_messages', 0, 1, 2, 1, 'MPI_Send', 'f a.c:1', 1000, 8, 500, 9, NULL),
	(2, 'small_messages', 1, 0, 2, 1, 'MPI_Send', 'f a.c:1', 1000, 8, 400, 8, NULL);
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 1700, 9000), (2, 8, 1800, 9000);
-- rows: values
-- small_messages|1|0|2|MPI_Send|f a.c:1|1000|8|400|8|1800|-|9000|-|100|0|-|1|0|8|1800|0
