-- SPDX-License-Identifier: BSD-3-Clause
-- case: a change beyond a tenth of the longer side is one, if its waits repeat
-- Line 1 grew by 200 of 1200 ns, 2 by 50 of 1050. 3 is in A alone, and so is 4, in one long wait. 5 is in B alone.
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1),
	(1, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1),
	(0, 0, 2, 'ab12', 2, 'f a.c:2', 'f', 'a.c', 2),
	(1, 0, 2, 'ab12', 2, 'f a.c:2', 'f', 'a.c', 2),
	(0, 0, 3, 'ab12', 3, 'f a.c:3', 'f', 'a.c', 3),
	(1, 0, 3, 'ab12', 3, 'f a.c:3', 'f', 'a.c', 3),
	(0, 0, 4, 'ab12', 4, 'f a.c:4', 'f', 'a.c', 4),
	(1, 0, 4, 'ab12', 4, 'f a.c:4', 'f', 'a.c', 4),
	(0, 0, 5, 'ab12', 5, 'f a.c:5', 'f', 'a.c', 5),
	(1, 0, 5, 'ab12', 5, 'f a.c:5', 'f', 'a.c', 5);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 1000, 0),
	(1, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 1200, 0),
	(0, 'wait', 0, 2, 'MPI_Recv', 'late_sender', 1, 1000, 0),
	(1, 'wait', 0, 2, 'MPI_Recv', 'late_sender', 1, 1050, 0),
	(0, 'wait', 0, 3, 'MPI_Recv', 'late_sender', 1, 500, 0),
	(0, 'wait', 0, 4, 'MPI_Recv', 'late_sender', 1, 500, 500),
	(1, 'wait', 0, 5, 'MPI_Recv', 'late_sender', 1, 500, 0);
-- ask: SELECT place, a_ns, b_ns, iif(spread_ns, NULL, noise_ns) AS noise_ns, verdict FROM row ORDER BY place
-- rows:
-- place|a_ns|b_ns|noise_ns|verdict
-- f a.c:1|1000|1200|120|more
-- f a.c:2|1000|1050|105|noise
-- f a.c:3|500|0|50|less, only in A
-- f a.c:4|500|0|-|few, only in A
-- f a.c:5|0|500|50|more, only in B

-- case: runs of different numbers of ranks are not judged
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 3, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1),
	(1, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 1000, 0),
	(1, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 1200, 0);
-- ask: SELECT noise_ns, verdict FROM row
-- rows:
-- noise_ns|verdict
-- -|-

-- case: what unpredicted time could decide is not judged, but for causes that times alone show
-- 200 ns of 1200 grew, and of 100 ns in A it is unknown whether they are waits.
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 100), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1),
	(1, 0, 1, 'ab12', 1, 'f a.c:1', 'f', 'a.c', 1),
	(0, 0, 2, 'ab12', 2, 'f a.c:2', 'f', 'a.c', 2),
	(1, 0, 2, 'ab12', 2, 'f a.c:2', 'f', 'a.c', 2);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_progress', 1, 1000, 0),
	(1, 'wait', 0, 1, 'MPI_Recv', 'late_progress', 1, 1200, 0),
	(0, 'wait', 0, 2, 'MPI_Recv', 'late_sender', 1, 1000, 0),
	(1, 'wait', 0, 2, 'MPI_Recv', 'late_sender', 1, 1200, 0);
-- ask: SELECT cause, noise_ns, verdict FROM row ORDER BY cause
-- rows:
-- cause|noise_ns|verdict
-- late_progress|-|-
-- late_sender|120|more
