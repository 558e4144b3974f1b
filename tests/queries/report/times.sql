-- SPDX-License-Identifier: BSD-3-Clause
-- case: time in MPI is that of all calls but the start, the end and clocks, and a rank's threads add up
-- Rank 0 has two threads. 7 ns of MPI_Init and 9 ns of MPI_Wtime are not in MPI.
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 900);
INSERT INTO call_cell
SELECT column1, column2, id, 1, 1, 0, column4, column4, column5, 0
FROM (VALUES (0, 0, 'MPI_Init', 7, 3), (0, 0, 'MPI_Send', 100, 4), (0, 1, 'MPI_Recv', 50, 5), (0, 0, 'MPI_Wtime', 9, 0),
	(1, 0, 'MPI_Barrier', 60, 6))
JOIN call_name ON name = column3;
-- ask: SELECT rank, trim(name) AS part, ns FROM rank_time JOIN part_name USING (part) WHERE part NOT IN ('polling', 'other_calls')
-- ask: ORDER BY rank, part_name.rowid
-- rows:
-- rank|part|ns
-- 0|run|2000
-- 0|in MPI|150
-- 0|in collectives|0
-- 0|tryst itself|9
-- 1|run|900
-- 1|in MPI|60
-- 1|in collectives|60
-- 1|tryst itself|6

-- case: other calls and polling count from a hundredth of the run on
-- Polling is 10 ns of 1000, a call that is neither 9 ns.
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO call_cell
SELECT 0, 0, id, 1, 1, 0, column2, column2, 0, 0
FROM (VALUES ('MPI_Iprobe', 10), ('MPI_Win_create', 9)) JOIN call_name ON name = column1;
-- ask: SELECT rank, part, ns FROM rank_time WHERE part IN ('polling', 'other_calls')
-- rows:
-- rank|part|ns
-- 0|polling|10

-- case: waits of messages are those with a peer
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO wait_cell (rank, callsite, code, peer, comm, bytes_log2, count, bytes, blocked_ns, predicted_ns, excess_ns,
	wait_ns, max_wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 1, 4, 2, 16, 100, 40, 60, 50, 30),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager proc_null'), -1, 1, 4, 2, 16, 100, 40, 60, 7, 7);
-- ask: SELECT rank, part, ns FROM rank_time WHERE part = 'waits'
-- rows:
-- rank|part|ns
-- 0|waits|50

-- case: a nonblocking collective counts where it completed
-- Of the second the completing call is shared: 20 ns are its own. The third is pending.
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO call_cell SELECT 0, 0, id, 1, 3, 0, 15, 5, 0, 0 FROM call_name WHERE name = 'MPI_Ibarrier';
INSERT INTO coll_row (id, code, seq, comm, post, span, callsite, done, gap, complete, blocked)
VALUES (first_id(0) + 1, pack('coll_code', 'call=MPI_Ibarrier'), 1, 1, 0, 5, 1, pack('done', 'call=MPI_Wait callsite=2'),
		10, 30, NULL),
	(first_id(0) + 2, pack('coll_code', 'call=MPI_Ibarrier'), 2, 1, 100, 5, 1, pack('done', 'call=MPI_Waitall callsite=3'),
		10, 40, 20),
	(first_id(0) + 3, pack('coll_code', 'call=MPI_Ibarrier'), 3, 1, 200, 5, 1, 0, NULL, NULL, NULL);
-- ask: SELECT rank, part, ns FROM rank_time WHERE part = 'collectives'
-- rows:
-- rank|part|ns
-- 0|collectives|65

-- case: a call that never returned lasts until the rank's last record, and in fact until the last of any rank
-- Both ranks' clocks show the same: rank 1 recorded 300 ns longer. Rank 2 was read while it ran.
INSERT INTO run VALUES (0, 'end_ns', 500), (0, 'zero_realtime_ns', 1000), (1, 'end_ns', 800), (1, 'zero_realtime_ns', 1000),
	(2, 'end_ns', 600), (2, 'zero_realtime_ns', 1000), (2, 'unfinished', 1);
INSERT INTO in_call_row (id, call, callsite, enter)
SELECT first_id(column1), id, 1, column3
FROM (VALUES (0, 'MPI_Recv', 100), (2, 'MPI_Barrier', 150)) JOIN call_name ON name = column2;
-- ask: SELECT o.rank, call, o.ns, least_ns, t.ns AS not_returned_ns, m.ns AS in_mpi_ns FROM open_call o
-- ask: JOIN rank_time t ON t.rank = o.rank AND t.part = 'not_returned' JOIN rank_time m ON m.rank = o.rank AND m.part = 'mpi'
-- rows:
-- rank|call|ns|least_ns|not_returned_ns|in_mpi_ns
-- 0|MPI_Recv|400|700|400|400
-- 2|MPI_Barrier|450|450|450|450

-- case: an end that nobody saw lies between the last record and when the process was found to be gone
-- Rank 0 was killed, rank 1 ended in MPI_Finalize, rank 2 told that it exited, rank 3 was found within a hundredth.
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (0, 'found_dead_ns', 1500),
	(1, 'end_ns', 1000), (1, 'clean_finalize', 1),
	(2, 'end_ns', 1000), (2, 'clean_finalize', 0), (2, 'exited', 1),
	(3, 'end_ns', 1000), (3, 'clean_finalize', 0), (3, 'found_dead_ns', 1010),
	(4, 'end_ns', 1000), (4, 'clean_finalize', 0);
-- ask: SELECT rank, least_ns, most_ns FROM unseen_end
-- rows:
-- rank|least_ns|most_ns
-- 0|1000|1500
-- 4|1000|-
