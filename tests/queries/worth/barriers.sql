-- SPDX-License-Identifier: BSD-3-Clause
-- case: a barrier is called in one line of two ranks
-- bind: 4
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'f', 'a.c', 1), (0, 2, 0, 'f', 'a.c', 2), (1, 7, 0, 'f', 'a.c', 2);
-- then:
INSERT INTO pattern VALUES (4, 'load_imbalance', NULL, NULL, 2, NULL, 'MPI_Barrier', 'f a.c:2', 9, NULL, 500, 2.5, NULL);
-- rows:
-- rank|callsite
-- 0|2
-- 1|7

-- case: other collectives bring results
-- bind: 4
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO frame_row (rank, callsite, frame, function, file, line) VALUES (0, 2, 0, 'f', 'a.c', 2);
-- then:
INSERT INTO pattern VALUES (4, 'load_imbalance', NULL, NULL, 2, NULL, 'MPI_Bcast', 'f a.c:2', 9, NULL, 500, 2.5, NULL);
-- rows: values
