-- SPDX-License-Identifier: BSD-3-Clause
-- case: callsites of one function, call and line are one element
-- Two ranks of the first run have the line. Other lines are elements of their own.
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (0, 1, 4, 'ab12', 20, 'f a.c:7', 'f', 'a.c', 7),
	(1, 0, 1, 'cd34', 32, 'f a.c:9', 'f', 'a.c', 9);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'call', 0, 1, 'MPI_Send', '', 1, 50, 50), (0, 'call', 1, 4, 'MPI_Send', '', 1, 50, 50), (1, 'call', 0, 1, 'MPI_Send', '', 1, 50, 50);
-- ask: SELECT side, function, unit, call, pos, place FROM element ORDER BY side, pos
-- rows:
-- side|function|unit|call|pos|place
-- 0|f|a.c|MPI_Send|7|f a.c:7
-- 1|f|a.c|MPI_Send|9|f a.c:9
