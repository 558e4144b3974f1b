-- SPDX-License-Identifier: BSD-3-Clause
-- case: the lines of messages that waited, over all ranks: each cause has its part, no_cpu and unexplained too
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, progress_ns, lateness_ns, max_lateness_ns, max_bytes, other_ns, other_no_cpu_ns)
VALUES (1, 1, pack('exact_code', 'call=MPI_Irecv kind=recv protocol=rendezvous cause=late_sender'), 0, 20, 4, 4000000, 3, 900, 100, 1200, 600, 1000000, 50, 30),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=eager'), 1, 7, 4, 400, 0, 0, 0, 0, 0, 100, 0, 0);
-- rows:
-- function|file|line|call|cause|waits|wait_ns
-- give|a.c|7|MPI_Irecv|late_sender|3|900
-- give|a.c|7|MPI_Irecv|late_progress|0|100
-- give|a.c|7|MPI_Irecv|no_cpu|0|30
-- give|a.c|7|MPI_Irecv|unexplained|0|20

-- case: rows of one line with equal waits are in one order
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, order_ns, progress_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 1, 1, 0, 50, 0),
	(0, 1, pack('exact_code', 'call=MPI_Irecv kind=recv protocol=eager cause=wrong_order'), 0, 1, 1, 0, 50, 0),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 1, 1, 50, 0, 50);
-- rows:
-- function|file|line|call|cause|waits|wait_ns
-- give|a.c|7|MPI_Irecv|wrong_order|1|50
-- give|a.c|7|MPI_Recv|late_progress|0|50
-- give|a.c|7|MPI_Recv|late_sender|1|50
-- give|a.c|7|MPI_Recv|wrong_order|0|50
