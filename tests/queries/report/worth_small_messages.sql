-- SPDX-License-Identifier: BSD-3-Clause
-- case: only patterns of small messages are replayed
INSERT INTO match_info VALUES ('messages', 9);
-- then:
INSERT INTO pattern VALUES (1, 'late_in_turns', NULL, NULL, 2, NULL, NULL, NULL, NULL, NULL, 500, 2.5, NULL),
	(2, 'small_messages', 0, 1, 2, 7, 'MPI_Send', 'f a.c:1', 1000, 8, 1200, 6, NULL);
-- rows:
-- pattern|rank|callsite|peer
-- 2|0|7|1
