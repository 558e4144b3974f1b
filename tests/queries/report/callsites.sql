-- SPDX-License-Identifier: BSD-3-Clause
-- case: a place has the sum of its ranks, its largest cause, and the call that completed most
-- At line 1, 700 ns are late senders and 300 late progress, most of them in MPI_Wait at line 9.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', 'a.c', 1), (1, 4, 0, 'main', 'a.c', 1), (0, 9, 0, 'main', 'a.c', 9), (1, 2, 0, 'main', 'a.c', 2);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, progress_ns, other_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Irecv kind=recv protocol=eager cause=late_sender'), 1, 4, 3, 400, 0, 0),
	(1, 4, pack('exact_code', 'call=MPI_Irecv kind=recv protocol=eager cause=late_sender'), 0, 4, 2, 300, 0, 0),
	(1, 4, pack('exact_code', 'call=MPI_Irecv kind=recv protocol=rendezvous cause=late_progress'), 0, 1, 1, 0, 300, 0),
	(1, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=unexplained'), 0, 1, 1, 0, 0, -70);
INSERT INTO new_exact_done_cell (rank, callsite, code, done_callsite, waits, wait_ns)
VALUES (0, 1, pack('exact_done_code', 'call=MPI_Irecv done_call=MPI_Wait protocol=eager cause=late_sender'), 9, 3, 400),
	(1, 4, pack('exact_done_code', 'call=MPI_Irecv done_call=MPI_Waitall protocol=eager cause=late_sender'), 8, 2, 300);
-- rows:
-- where|call|count|wait_ns|share_pct|mostly|waited_in|waited_at
-- main a.c:1|MPI_Irecv|6|1000|100|late_sender|MPI_Wait|main a.c:9
