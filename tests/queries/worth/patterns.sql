-- SPDX-License-Identifier: BSD-3-Clause
-- case: load imbalance is replayed first, small messages last
INSERT INTO match_info VALUES ('messages', 9);
-- then:
INSERT INTO pattern VALUES (1, 'late_in_turns', NULL, NULL, 2, NULL, NULL, NULL, NULL, NULL, 500, 2.5, NULL),
	(2, 'small_messages', 0, 1, 2, 7, 'MPI_Send', 'f a.c:1', 1000, 8, 1200, 6, NULL),
	(3, 'fan_out', 0, NULL, 5, 8, 'MPI_Send', 'f a.c:3', 1000, 8, 1200, 6, NULL),
	(4, 'load_imbalance', 0, NULL, 2, NULL, 'MPI_Barrier', 'f a.c:2', 9, NULL, 500, 2.5, NULL);
-- rows:
-- pattern|name|rank|callsite|peer
-- 4|load_imbalance|0|-|-
-- 3|fan_out|0|8|-
-- 2|small_messages|0|7|1
