-- SPDX-License-Identifier: BSD-3-Clause
-- case: what is lost against the smallest size, and how it grows
-- Ideal is half of 50 ns with twice as many ranks. The mean is 200 = 50 * 2^2.
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
-- ask: SELECT what, ranks, count, rank_ns, ideal_ns, lost_ns, lost_pct, efficiency_pct, growth FROM scaled
-- ask: LEFT JOIN growth USING (key) WHERE what = 'wait' ORDER BY ranks
-- rows:
-- what|ranks|count|rank_ns|ideal_ns|lost_ns|lost_pct|efficiency_pct|growth
-- wait|2|5|50|50|0|0|100|2
-- wait|4|15|200|25|175|21.875|12.5|2

-- case: places are in the order of what they lose at the most ranks, waits apart from calls
-- on: scaling
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 1000), (1, 'b', '/bin/ring', 4, 1, 20, 0, 800);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7),
	(0, 0, 2, 'ab12', 32, 'g a.c:9', 'g', 'a.c', 9), (1, 0, 2, 'ab12', 32, 'g a.c:9', 'g', 'a.c', 9);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 5, 101, 2), (1, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 5, 120, 2),
	(1, 'wait', 0, 2, 'MPI_Send', 'late_receiver', 2, 280, 2), (0, 'call', 0, 2, 'MPI_Send', '', 2, 180, 2),
	(1, 'call', 0, 2, 'MPI_Send', '', 2, 180, 2);
-- ask: SELECT what, nth_place, nth, "where", cause, ranks, rank_ns, lost_ns FROM scaled_row ORDER BY what, nth_place, nth
-- rows:
-- what|nth_place|nth|where|cause|ranks|rank_ns|lost_ns
-- call|1|1|g a.c:9||2|90|0
-- call|1|2|g a.c:9||4|45|0
-- wait|1|1|g a.c:9|late_receiver|2|0|0
-- wait|1|2|g a.c:9|late_receiver|4|70|70
-- wait|2|1|f a.c:7|late_sender|2|50|0
-- wait|2|2|f a.c:7|late_sender|4|30|4
