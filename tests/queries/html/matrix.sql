-- SPDX-License-Identifier: BSD-3-Clause
-- case: what a rank sent to each peer; what it received counts for its waits alone
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns, predicted_ns, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 4, 2, 20, 100, 40, 60),
	(0, 2, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 4, 3, 30, 100, 40, 5),
	(1, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 0, 4, 3, 30, 100, 100, 0),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager proc_null'), -1, 4, 9, 90, 9, 9, 9);
-- rows:
-- rank|peer|sent_count|sent_bytes|one_side_wait_ns
-- 0|1|2|20|65
-- 1|0|3|30|0
