-- SPDX-License-Identifier: BSD-3-Clause
-- case: a cause that became another one at the same place is one row
-- At line 7 late_sender became contention of about the same time. At line 8 three times as much came.
-- on: compared
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/bin/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 0, 5, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7),
	(0, 0, 2, 'ab12', 32, 'f a.c:8', 'f', 'a.c', 8), (1, 0, 2, 'ab12', 32, 'f a.c:8', 'f', 'a.c', 8);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 5, 1000, 2), (0, 'wait', 0, 1, 'MPI_Recv', 'contention', 1, 50, 2),
	(1, 'wait', 0, 5, 'MPI_Recv', 'contention', 6, 1100, 2), (1, 'wait', 0, 5, 'MPI_Recv', 'wrong_order', 6, 70, 2),
	(0, 'wait', 0, 2, 'MPI_Recv', 'late_sender', 5, 1000, 2), (1, 'wait', 0, 2, 'MPI_Recv', 'contention', 6, 3000, 2);
-- ask: SELECT place, cause, b_cause, a_count, b_count, a_ns, b_ns FROM row ORDER BY place, cause
-- rows:
-- place|cause|b_cause|a_count|b_count|a_ns|b_ns
-- f a.c:7|late_sender|contention|6|6|1050|1100
-- f a.c:7|wrong_order|-|0|6|0|70
-- f a.c:8|contention|-|0|6|0|3000
-- f a.c:8|late_sender|-|5|0|1000|0

-- case: messages without rows have no cause that could be another one
-- on: compared
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/bin/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 5, 1000, 2), (1, 'wait', 0, 1, 'MPI_Recv', 'not_recorded', 6, 1100, 2);
-- ask: SELECT count(*) FROM relabel
-- rows: values
-- 0
