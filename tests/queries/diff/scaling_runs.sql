-- SPDX-License-Identifier: BSD-3-Clause
-- case: runs are numbered, and those with fewer ranks come first
-- on: scaling
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns, world)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 1000, 2), (1, 'b', '/bin/ring', 4, 1, 20, 0, 700, 8), (2, 'c', '/bin/ring', 4, 1, 22, 0, 900, NULL);
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
-- rows:
-- side|name|program|ranks|missing|messages|both_sides|run_ns
-- 1|a|/bin/ring|2|-|9|1|1000
-- 3|c|/bin/ring|4|-|22|1|900
-- 2|b|/bin/ring|8|4|20|1|700
