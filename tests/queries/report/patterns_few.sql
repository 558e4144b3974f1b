-- SPDX-License-Identifier: BSD-3-Clause
-- case: those that the verdict does not tell of
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'late_in_turns', NULL, NULL, 2, NULL, NULL, NULL, NULL, NULL, 500, 9, NULL),
	(2, 'fan_in', 0, NULL, 2, 7, 'MPI_Recv', 'f a.c:1', 10, 8, 1200, 6, NULL), (3, 'ring', NULL, NULL, 2, NULL, NULL, NULL, 9, 8, 400, 2, NULL),
	(4, 'pipeline', 0, 1, 2, NULL, NULL, NULL, 9, 8, 400, 3, NULL);
-- rows: values
-- fan_in|0|-|2|MPI_Recv|f a.c:1|10|8|1200|6|-|-|-|-|-|0|1|1|1|-|-|-|-|-|0|-|1|0
-- pipeline|0|1|2|-|-|9|8|400|3|-|-|-|-|-|0|-|1|1|-|-|-|-|-|0|-|1|0

-- case: none whose better form was tried in vain
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
-- then:
INSERT INTO pattern VALUES (1, 'small_messages', 0, 1, 2, 7, 'MPI_Send', 'f', 1000, 4096, 5000, 25, NULL),
	(2, 'master', 0, NULL, 8, NULL, NULL, NULL, 99, 8, 300, 3, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 50, 9000, 0), (1, 64, 60, 9000, 0);
INSERT INTO master_gain VALUES (2, 200);
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- master|0|-|8|-|-|99|8|300|3|-|-|-|-|100|0|-|7|0|-|-|-|-|200|0|-|1|0
