-- SPDX-License-Identifier: BSD-3-Clause
-- case: messages below 1 KiB by pair and call
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns, wait_ns, max_wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=short'), 1, 4, 5000, 40000, 100, 20, 5),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=rendezvous'), 1, 21, 5, 10000000, 900, 700, 400),
	(1, 2, pack('wait_code', 'call=MPI_Recv kind=recv protocol=short'), 0, 4, 5000, 40000, 100, 20, 5);
-- rows:
-- rank|peer|call|count|bytes|mean_bytes
-- 0|1|MPI_Send|5000|40000|8
