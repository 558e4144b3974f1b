-- SPDX-License-Identifier: BSD-3-Clause
-- case: as bottlenecks.c reads them, by number: the kind, the cause, how late, and which part of the loss has this cause
-- Of two late senders' 200 ns of lateness, half is other messages' wait.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', 'a.c', 1), (0, 2, 0, 'main', 'a.c', 2);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, lateness_ns,
	max_lateness_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Irecv kind=recv protocol=eager cause=late_sender'), 1, 4, 2, 16, 2, 100, 200, 120, 8);
INSERT INTO new_exact_done_cell (rank, callsite, code, done_callsite, waits, wait_ns)
VALUES (0, 1, pack('exact_done_code', 'call=MPI_Irecv done_call=MPI_Wait protocol=eager cause=late_sender'), 2, 2, 100);
INSERT INTO new_unhidden_cell (rank, callsite, code, done, peer, bytes_log2, count, unhidden_ns, max_bytes)
VALUES (0, 1, pack('message_code', 'call=MPI_Isend kind=send protocol=rendezvous'), pack('done', 'call=MPI_Wait callsite=2'),
	1, 21, 4, 400, 1200000);
-- rows: values
-- 1|2|1|8|50|100|120|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|0|50|-|100|0
-- 2|1|7|1200000|100|-|-|-|-|-|-|-|-|-|-|MPI_Wait|main a.c:2|-|-|-|-|-|-|-|-|-|-|-|-|0|-|-|-|0
