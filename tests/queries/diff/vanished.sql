-- SPDX-License-Identifier: BSD-3-Clause
-- case: 353 separate waits of one run and none of the other are a change
-- Their long ones alone would be too few. At line 8 one part of the run has all of them, at line 9 only five.
-- on: compared
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/bin/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
SELECT s.column1, 0, l.column1, 'ab12', l.column1, 'f a.c:' || l.column1, 'f', 'a.c', l.column1
FROM (VALUES (0), (1)) s, (VALUES (7), (8), (9)) l;
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 7, 'MPI_Recv', 'late_sender', 353, 10000, 5000), (0, 'wait', 0, 8, 'MPI_Recv', 'late_sender', 353, 9000, 5000),
	(0, 'wait', 0, 9, 'MPI_Recv', 'late_sender', 5, 8000, 5000);
WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < 13)
INSERT INTO slot (side, rank, callsite, call, cause, slot, ns)
SELECT 0, 0, 7, 'MPI_Recv', 'late_sender', n / 2, 700 FROM k UNION ALL
SELECT 0, 0, 7, 'MPI_Recv', 'late_sender', 100 + n, 14 FROM k UNION ALL
SELECT 0, 0, 8, 'MPI_Recv', 'late_sender', 50, 9000 FROM k WHERE n = 0 UNION ALL
SELECT 0, 0, 9, 'MPI_Recv', 'late_sender', n, 1600 FROM k WHERE n < 5;
-- ask: SELECT place, variance > 0 AS is_chance, verdict FROM row ORDER BY place
-- rows:
-- place|is_chance|verdict
-- f a.c:7|0|less, only in A
-- f a.c:8|1|few, only in A
-- f a.c:9|1|few, only in A

-- case: without their times, ten waits count as one
-- on: compared
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 0, 9, 0), (1, 'b', '/bin/ring', 2, 0, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
SELECT s.column1, 0, l.column1, 'ab12', l.column1, 'f a.c:' || l.column1, 'f', 'a.c', l.column1
FROM (VALUES (0), (1)) s, (VALUES (7), (8)) l;
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (1, 'wait', 0, 7, 'MPI_Recv', 'late_sender', 353, 10000, 10000), (1, 'wait', 0, 8, 'MPI_Recv', 'late_sender', 20, 9000, 9000);
-- ask: SELECT place, verdict FROM row ORDER BY place
-- rows:
-- place|verdict
-- f a.c:7|more, only in B
-- f a.c:8|few, only in B

-- case: a call that one run never makes is a change of the program
-- on: compared
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/bin/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1), (1, 0, 2, 'ab12', 2, 'f a.c:2', 'f', 'a.c', 2);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'call', 0, 1, 'MPI_Barrier', '', 1, 500, 500);
-- ask: SELECT verdict FROM row
-- rows: values
-- less, only in A
