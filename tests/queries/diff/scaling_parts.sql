-- SPDX-License-Identifier: BSD-3-Clause
-- case: runs with equally many ranks are averaged, and places found by build and offset
-- on: scaling
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 1000), (1, 'b', '/bin/ring', 4, 1, 20, 0, 700), (2, 'c', '/bin/ring', 4, 1, 22, 0, 900);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 0, 5, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7),
	(2, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 5, 100, 2), (1, 'wait', 0, 5, 'MPI_Recv', 'late_sender', 20, 1000, 2),
	(2, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 10, 600, 2), (0, 'call', 0, 1, 'MPI_Recv', '', 5, 200, 2),
	(1, 'call', 0, 5, 'MPI_Recv', '', 20, 800, 2), (2, 'call', 0, 1, 'MPI_Recv', '', 10, 800, 2),
	(0, 'time', 0, -1, 'run', 'run', 1, 2000, 0), (1, 'time', 0, -1, 'run', 'run', 1, 2800, 0),
	(2, 'time', 0, -1, 'run', 'run', 1, 3600, 0), (0, 'time', 0, -2, 'in MPI', 'in MPI', 1, 200, 0),
	(1, 'time', 0, -2, 'in MPI', 'in MPI', 1, 800, 0), (2, 'time', 0, -2, 'in MPI', 'in MPI', 1, 800, 0);
-- ask: SELECT what, place, call, cause, ranks, count, rank_ns FROM part WHERE what <> 'time' ORDER BY what, ranks
-- rows:
-- what|place|call|cause|ranks|count|rank_ns
-- call|f a.c:7|MPI_Recv||2|5|100
-- call|f a.c:7|MPI_Recv||4|15|200
-- wait|f a.c:7|MPI_Recv|late_sender|2|5|50
-- wait|f a.c:7|MPI_Recv|late_sender|4|15|200

-- case: a run of which only one of two ranks was read has two ranks, calls of both, and a rank's time is that of the one
-- on: scaling
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns, world)
VALUES (0, 'a', '/bin/ring', 1, 1, 9, 0, 1000, 2), (1, 'b', '/bin/ring', 4, 1, 20, 0, 700, 4);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 0, 5, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'call', 0, 1, 'MPI_Recv', '', 5, 200, 2), (1, 'call', 0, 5, 'MPI_Recv', '', 20, 800, 2);
-- ask: SELECT ranks, count, rank_ns FROM part ORDER BY ranks
-- rows:
-- ranks|count|rank_ns
-- 2|10|200
-- 4|20|200
