-- SPDX-License-Identifier: BSD-3-Clause
-- case: the run time is that of the last rank
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 800), (1, 'b', '/bin/ring', 2, 1, 1, 0, 1000);
-- bind: run
-- rows:
-- measure|a|b
-- run|800|1000

-- case: computation is the time outside of MPI and tryst
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 800), (1, 'b', '/bin/ring', 2, 1, 1, 0, 1000);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns)
VALUES (0, 'time', 0, -1, 'run', 'run', 1, 800), (0, 'time', 0, -2, 'in MPI', 'in MPI', 1, 300),
	(0, 'time', 0, -12, 'tryst itself', 'tryst itself', 1, 1), (1, 'time', 0, -1, 'run', 'run', 1, 1000),
	(1, 'time', 0, -2, 'in MPI', 'in MPI', 1, 400), (1, 'time', 0, -3, '  polling', 'polling', 1, 50);
-- bind: computation
-- rows: values
-- computation|499|600

-- case: a cause over all callsites, before another cause at its place hides it
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/bin/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 5, 1000, 2), (1, 'wait', 0, 1, 'MPI_Recv', 'contention', 6, 1100, 2),
	(0, 'wait', 0, 9, 'MPI_Recv', 'contention', 5, 10, 2);
-- bind: contention
-- rows: values
-- contention|10|1100

-- case: a cause that neither run has is nothing
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/bin/ring', 2, 1, 1, 0);
-- bind: early_scan
-- rows: values
-- early_scan|0|0
