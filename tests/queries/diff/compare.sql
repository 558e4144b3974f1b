-- SPDX-License-Identifier: BSD-3-Clause
-- case: the sums of both runs at each site, over ranks, and the variance by the longest wait
-- 3 ns of 10 + 20 in the first run, 5 ns of 40 in the second: 3 * 30 + 5 * 40.
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (0, 1, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7),
	(1, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 1, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 2, 10, 2), (0, 'wait', 1, 1, 'MPI_Recv', 'late_sender', 3, 20, 3),
	(1, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 4, 40, 5), (1, 'wait', 0, 9, 'MPI_Recv', 'late_sender', 1, 7, 0);
-- ask: SELECT what, place, call, cause, a_count, b_count, a_ns, b_ns, variance FROM row ORDER BY place
-- rows:
-- what|place|call|cause|a_count|b_count|a_ns|b_ns|variance
-- wait|f a.c:7|MPI_Recv|late_sender|5|4|30|40|290
-- wait|unknown|MPI_Recv|late_sender|0|1|0|7|0

-- case: where it is known when the waits were, batches of the run give the variance
-- All 128 parts of the run have the same: there is none.
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (0, 1, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7),
	(1, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 1, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 2, 1280, 20), (1, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 4, 40, 0);
WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < 127)
INSERT INTO slot (side, rank, callsite, call, cause, slot, ns) SELECT 0, 0, 1, 'MPI_Recv', 'late_sender', n, 10 FROM k;
-- ask: SELECT a_ns, b_ns, variance FROM row
-- rows:
-- a_ns|b_ns|variance
-- 1280|40|0
