-- SPDX-License-Identifier: BSD-3-Clause
-- case: pairs are ranked by what each side waited, and those without waits are left out
-- 600 ns of 1000 are rank 0's sends to 2, over two lengths. Rank 2 did not wait for 0.
-- on: one side
INSERT INTO wait_cell (rank, callsite, code, peer, comm, bytes_log2, count, bytes, blocked_ns, predicted_ns, excess_ns,
	wait_ns, max_wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 2, 1, 4, 2, 16, 600, 100, 500, 500, 300),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 2, 1, 5, 1, 16, 200, 100, 100, 100, 100),
	(1, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 0, 1, 4, 3, 24, 700, 300, 400, 400, 200),
	(2, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 0, 1, 4, 3, 24, 300, 300, 0, 0, 0);
-- rows:
-- waiting_rank|as|peer|count|bytes|wait_ns|share_pct|longest_ns
-- 0|sends to|2|3|32|600|60|300
-- 1|receives from|0|3|24|400|40|200

-- case: a ranking ends after :top rows
-- on: one side
INSERT INTO wait_cell (rank, callsite, code, peer, comm, bytes_log2, count, bytes, blocked_ns, predicted_ns, excess_ns,
	wait_ns, max_wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 1, 4, 1, 8, 60, 10, 50, 50, 50),
	(1, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 0, 1, 4, 1, 8, 60, 10, 50, 50, 50);
-- top: 1
-- rows:
-- waiting_rank|as|peer|count|bytes|wait_ns|share_pct|longest_ns
-- 0|sends to|1|1|8|50|50|50
