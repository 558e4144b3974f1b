-- SPDX-License-Identifier: BSD-3-Clause
-- case: load imbalance is replayed first, then small messages
INSERT INTO match_info VALUES ('messages', 9);
-- then:
INSERT INTO pattern VALUES (1, 'late_in_turns', NULL, NULL, 2, NULL, NULL, NULL, NULL, NULL, 500, 2.5, NULL),
	(2, 'small_messages', 0, 1, 2, 7, 'MPI_Send', 'f a.c:1', 1000, 8, 1200, 6, NULL),
	(3, 'load_imbalance', 0, NULL, 2, NULL, 'MPI_Barrier', 'f a.c:2', 9, NULL, 500, 2.5, NULL);
-- rows:
-- pattern|balances|rank|callsite|peer
-- 3|1|0|-|-
-- 2|0|0|7|1
