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
INSERT INTO pattern_gain VALUES (1, 8, 1700, 9000, 0), (2, 8, 1800, 9000, 0);
-- rows: values
-- small_messages|1|0|2|MPI_Send|f a.c:1|1000|8|400|8|1800|-|9000|-|100|0|-|1|0|8|1800|-|-|-|0|-|0|0|1800|10000|-|-|-|-|-|0

-- case: load imbalance that brings a tenth more than a bottleneck is worth
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Barrier'), 1, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct) VALUES (0, 1, 1, 1, 25600), (1, 1, 1, 1, 2560);
-- then:
INSERT INTO pattern VALUES (1, 'load_imbalance', 0, NULL, 2, NULL, 'MPI_Barrier', 'f a.c:1', 9, NULL, 1200, 5, NULL);
INSERT INTO pattern_gain VALUES (1, 0, 1000, 10000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (1, 890, 0);
-- rows: values
-- load_imbalance|0|-|2|MPI_Barrier|f a.c:1|9|-|1200|5|-|-|-|1000|100|0|-|1|0|-|1000|-|-|-|0|-|0|0|900|10000|computing|-|-|-|-|0

-- case: not if it brings less than that
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Barrier'), 1, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct) VALUES (0, 1, 1, 1, 25600), (1, 1, 1, 1, 2560);
-- then:
INSERT INTO pattern VALUES (1, 'load_imbalance', 0, NULL, 2, NULL, 'MPI_Barrier', 'f a.c:1', 9, NULL, 1200, 5, NULL);
INSERT INTO pattern_gain VALUES (1, 0, 1000, 10000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (1, 910, 0);
-- rows: values

-- case: the function in which the late rank computes, by its samples, most of them at one place
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'sample_period_ns', 100), (1, 'end_ns', 10000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'f', 'a.c', 1), (0, 2, 0, 'f', 'a.c', 2), (0, 8, 0, 'interior', 'halo.c', 31);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Barrier'), 1, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct) VALUES (0, 1, 1, 2, 25600), (0, 1, 2, 1, 2560);
INSERT INTO sample_cell (rank, thread, callsite, after, place, count) VALUES (0, 0, 1, 2, 8, 12), (0, 0, 2, 1, 1, 30);
-- then:
INSERT INTO pattern VALUES (1, 'load_imbalance', 0, NULL, 2, NULL, 'MPI_Barrier', 'f a.c:1', 9, NULL, 500, 5, NULL);
INSERT INTO pattern_gain VALUES (1, 0, 1000, 10000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- load_imbalance|0|-|2|MPI_Barrier|f a.c:1|9|-|500|5|-|-|-|1000|100|0|-|1|0|-|1000|-|-|-|0|-|0|0|500|10000|computing between f a.c:2 and f a.c:1|interior halo.c:31|100|-|-|0

-- case: the waits of a bottleneck may be worth more than all waits in collectives
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Barrier'), 1, 1);
-- then:
INSERT INTO pattern VALUES (1, 'load_imbalance', 0, NULL, 2, NULL, 'MPI_Barrier', 'f a.c:1', 9, NULL, 500, 5, NULL);
INSERT INTO pattern_gain VALUES (1, 0, 1000, 10000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (1, 600, 0);
-- rows: values

-- case: a barrier, if equal work does not help
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Barrier'), 1, 1);
-- then:
INSERT INTO pattern VALUES (1, 'load_imbalance', 0, NULL, 2, NULL, 'MPI_Barrier', 'f a.c:1', 9, NULL, 1200, 5, NULL);
INSERT INTO pattern_gain VALUES (1, 0, 90, 10000, 0), (1, -1, 1100, 10000, 0);
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (1, 1090, 0);
-- rows: values
-- barrier|0|-|2|MPI_Barrier|f a.c:1|9|-|1200|5|-|-|-|1100|100|0|-|1|0|-|1100|-|-|-|0|-|0|0|1100|10000|-|-|-|-|-|0
