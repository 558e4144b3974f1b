-- SPDX-License-Identifier: BSD-3-Clause
-- case: waits grew and shrank beyond the noise
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1),
	(1, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1),
	(0, 0, 2, 'ab12', 2, 'f a.c:2', 'f', 'a.c', 2),
	(1, 0, 2, 'ab12', 2, 'f a.c:2', 'f', 'a.c', 2),
	(0, 0, 3, 'ab12', 3, 'f a.c:3', 'f', 'a.c', 3),
	(1, 0, 3, 'ab12', 3, 'f a.c:3', 'f', 'a.c', 3);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 1000, 0),
	(1, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 1500, 0),
	(0, 'wait', 0, 2, 'MPI_Recv', 'late_sender', 1, 1000, 0),
	(1, 'wait', 0, 2, 'MPI_Recv', 'late_sender', 1, 1050, 0),
	(0, 'wait', 0, 3, 'MPI_Recv', 'late_sender', 1, 1000, 0),
	(1, 'wait', 0, 3, 'MPI_Recv', 'late_sender', 1, 200, 0);
-- rows:
-- thing|a_ns|b_ns|more|less|few_ns|many_few|other_ranks|a_unpredicted_ns|a_why|b_unpredicted_ns|b_why|both|a_no_cpu_ns|b_no_cpu_ns|no_cpu_noise_ns
-- wait|3000|2750|1|1|0|0|0|-|-|-|-|0|-|-|-

-- case: nothing did
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1),
	(1, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 1000, 0),
	(1, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 1050, 0);
-- rows:
-- thing|a_ns|b_ns|more|less|few_ns|many_few|other_ranks|a_unpredicted_ns|a_why|b_unpredicted_ns|b_why|both|a_no_cpu_ns|b_no_cpu_ns|no_cpu_noise_ns
-- wait|1000|1050|0|0|0|0|0|-|-|-|-|0|-|-|-

-- case: most of it is in waits that are too few
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1),
	(1, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 500, 500);
-- rows:
-- thing|a_ns|b_ns|more|less|few_ns|many_few|other_ranks|a_unpredicted_ns|a_why|b_unpredicted_ns|b_why|both|a_no_cpu_ns|b_no_cpu_ns|no_cpu_noise_ns
-- wait|500|0|0|0|500|1|0|-|-|-|-|0|-|-|-
