-- SPDX-License-Identifier: BSD-3-Clause
-- case: how much CPU shortage may have changed a row: of each rank no more than its part, nor than the difference
-- Rank 0 lacked a CPU for 200 ns more in B. Its own waits for late senders are shorter for that, not longer; rank 1's may be
-- longer by 150 of 200 ns. Late progress may be its own.
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (0, 1, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7),
	(1, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 1, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7);
INSERT INTO held VALUES (0, 0, 100), (1, 0, 300);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 10, 0), (1, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 90, 0),
	(0, 'wait', 1, 1, 'MPI_Recv', 'late_sender', 1, 10, 0), (1, 'wait', 1, 1, 'MPI_Recv', 'late_sender', 1, 150, 0),
	(0, 'wait', 0, 1, 'MPI_Recv', 'late_progress', 1, 10, 0), (1, 'wait', 0, 1, 'MPI_Recv', 'late_progress', 1, 50, 0);
-- ask: SELECT cause, machine_ns, difference, chance_ns, lost FROM row, machine ORDER BY cause
-- rows:
-- cause|machine_ns|difference|chance_ns|lost
-- late_progress|50|200|40|200
-- late_sender|150|200|40|200

-- case: a row of time that was not lost by anybody is not changed by the machine
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (0, 1, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7),
	(1, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 1, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 10, 0), (1, 'wait', 0, 1, 'MPI_Recv', 'late_sender', 1, 90, 0);
-- ask: SELECT machine_ns, difference, lost FROM row, machine
-- rows:
-- machine_ns|difference|lost
-- 0|0|0
