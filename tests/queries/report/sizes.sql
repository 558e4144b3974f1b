-- SPDX-License-Identifier: BSD-3-Clause
-- case: each message counts once, at its sender
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 3, 24), (1, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), 0, 4, 3, 24),
	(0, 2, pack('wait_code', 'call=MPI_Send kind=send'), 1, 0, 1, 0), (0, 3, pack('wait_code', 'call=MPI_Send kind=send'), -1, 4, 9, 99);
-- rows:
-- bytes_log2|least_bytes|below_bytes|count|bytes|share_pct|sizes
-- 0|0|1|1|0|25|2
-- 4|8|16|3|24|75|2

-- case: at receivers if there is no sender
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes)
VALUES (1, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), 0, 4, 3, 24);
-- rows: values
-- 4|8|16|3|24|100|1
