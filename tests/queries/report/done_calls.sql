-- SPDX-License-Identifier: BSD-3-Clause
-- case: a post names the call in which most of its waiting was, unless it is the post itself
-- Of what was posted at line 1, 60 of 100 ns were in MPI_Wait. At line 2 most was in the post.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', 'a.c', 1), (0, 2, 0, 'main', 'a.c', 2), (0, 9, 0, 'main', 'a.c', 9);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Irecv kind=recv protocol=eager cause=late_sender'), 1, 2, 2, 100),
	(0, 2, pack('exact_code', 'call=MPI_Isend kind=send protocol=rendezvous cause=late_receiver'), 1, 2, 2, 100);
INSERT INTO new_exact_done_cell (rank, callsite, code, done_callsite, waits, wait_ns)
VALUES (0, 1, pack('exact_done_code', 'call=MPI_Irecv done_call=MPI_Wait protocol=eager cause=late_sender'), 9, 1, 60),
	(0, 2, pack('exact_done_code', 'call=MPI_Isend done_call=MPI_Wait protocol=rendezvous cause=late_receiver'), 9, 1, 40);
-- ask: SELECT p.place, n.name AS call, p.done_call, p.done_place, protocol, cause, o.done_call AS of_cause
-- ask: FROM done_part p JOIN call_name n ON n.id = p.call LEFT JOIN done_of o USING (place, call)
-- rows:
-- place|call|done_call|done_place|protocol|cause|of_cause
-- main a.c:1|MPI_Irecv|MPI_Wait|main a.c:9|eager|late_sender|MPI_Wait

-- case: of several causes each has its own call
-- Late senders are waited for in MPI_Wait, late progress in MPI_Waitall.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, progress_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Irecv kind=recv protocol=rendezvous cause=late_sender'), 1, 1, 1, 50, 0),
	(0, 1, pack('exact_code', 'call=MPI_Irecv kind=recv protocol=rendezvous cause=late_progress'), 1, 1, 1, 0, 70);
INSERT INTO new_exact_done_cell (rank, callsite, code, done_callsite, waits, wait_ns)
VALUES (0, 1, pack('exact_done_code', 'call=MPI_Irecv done_call=MPI_Wait protocol=rendezvous cause=late_sender'), 8, 1, 50),
	(0, 1, pack('exact_done_code', 'call=MPI_Irecv done_call=MPI_Waitall protocol=rendezvous cause=late_progress'),
		9, 1, 70);
-- ask: SELECT cause, o.done_call, p.done_call AS of_all FROM done_of o
-- ask: JOIN done_part p USING (place, call) ORDER BY cause
-- rows:
-- cause|done_call|of_all
-- late_progress|MPI_Waitall|MPI_Waitall
-- late_sender|MPI_Wait|MPI_Waitall

-- case: waits in collectives are a part of the ranks' time, and so is time in collectives without rows
-- Rank 0 dropped a row: of 100 ns in barriers 70 have rows. Rank 1 has all rows.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (0, 'dropped_collective', 1), (1, 'dropped_collective', 0);
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns)
VALUES (0, call('MPI_Barrier'), 1, 3, 100), (1, call('MPI_Barrier'), 1, 3, 100);
INSERT INTO coll_row (id, code, seq, comm, post, span, callsite)
VALUES (first_id(0) + 1, pack('coll_code', 'call=MPI_Barrier'), 1, 1, 0, 30, 1),
	(first_id(0) + 2, pack('coll_code', 'call=MPI_Barrier'), 2, 1, 100, 40, 1),
	(first_id(1) + 1, pack('coll_code', 'call=MPI_Barrier'), 1, 1, 0, 30, 1);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Barrier state=wait_at_barrier'), 25, 1, 1, 0),
	(2, 0, 2, 1, pack('coll_wait_code', 'call=MPI_Barrier state=wait_at_barrier'), 35, 1, 1, 0);
-- ask: SELECT rank, part, ns FROM rank_time WHERE part IN ('collective_waits', 'collectives_without_rows') AND ns ORDER BY part
-- rows:
-- rank|part|ns
-- 0|collective_waits|60
-- 0|collectives_without_rows|30
