-- SPDX-License-Identifier: BSD-3-Clause
-- case: pairs by the bytes that were sent
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns, wait_ns, max_wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=short'), 1, 4, 5000, 40000, 100, 20, 5),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=rendezvous'), 1, 21, 5, 10000000, 900, 700, 400),
	(1, 2, pack('wait_code', 'call=MPI_Recv kind=recv protocol=short'), 0, 4, 5000, 40000, 100, 20, 5);
-- rows:
-- rank|peer|peer_world|sent_count|sent_bytes|recv_count|recv_bytes|wait_ns
-- 0|1|-|5005|10040000|0|0|720
-- 1|0|-|0|0|5000|40000|20
