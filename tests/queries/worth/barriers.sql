-- SPDX-License-Identifier: BSD-3-Clause
-- case: a barrier is called in one line of two ranks, which also has another call
-- bind: 4
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'f', 'a.c', 1), (0, 2, 0, 'f', 'a.c', 2), (0, 3, 0, 'f', 'a.c', 2), (1, 7, 0, 'f', 'a.c', 2);
INSERT INTO new_call_cell (rank, call, callsite, count)
VALUES (0, call('MPI_Barrier'), 1, 9), (0, call('MPI_Barrier'), 2, 9), (0, call('MPI_Allreduce'), 3, 9),
	(1, call('MPI_Barrier'), 7, 9);
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
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Bcast'), 2, 9);
-- then:
INSERT INTO pattern VALUES (4, 'load_imbalance', NULL, NULL, 2, NULL, 'MPI_Bcast', 'f a.c:2', 9, NULL, 500, 2.5, NULL);
-- rows: values
