-- SPDX-License-Identifier: BSD-3-Clause
-- case: while a send waited, its receiver was inside MPI for a part of that time
-- The receive came 50 ns late, at 150 of its own clock. From 80 to 120 the receiver was inside another call.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO op_row (id, code, post, span, bytes, peer, comm, callsite, done, gap, complete)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Send kind=send protocol=rendezvous'), 100, 70, 9999, 1, 1, 1, NULL, NULL,
		NULL),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Irecv kind=recv protocol=rendezvous'), 150, 10, 9999, 0, 1, 1,
		pack('done', 'call=MPI_Wait callsite=2'), 5, 20),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Send kind=send protocol=eager'), 300, 70, 8, 1, 1, 1, NULL, NULL, NULL),
	(first_id(1) + 2, pack('op_code', 'call=MPI_Recv kind=recv protocol=eager'), 350, 10, 8, 0, 1, 1, NULL, NULL, NULL);
INSERT INTO match_row (id, send, recv, send_enter, recv_enter, code, late, progress, wrong_order)
VALUES (1, first_id(0) + 1, first_id(1) + 1, 100, 50, pack('match_code', 'protocol=rendezvous cause=late_receiver waiting=1'),
		50, 0, 0),
	(2, first_id(0) + 2, first_id(1) + 2, 300, 50, pack('match_code', 'protocol=eager cause=flow_control waiting=1'), 0, 0, 0),
	(3, first_id(0) + 2, first_id(1) + 2, 300, 50, pack('match_code', 'protocol=rendezvous'), 0, 0, 0);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (1, 1, 0, 'main', 'b.c', 1), (1, 2, 0, 'main', 'b.c', 2);
INSERT INTO busy_row (id, enter, span, thread) VALUES (first_id(1) + 1, 80, 40, 0), (first_id(1) + 2, 150, 10, 0);
-- ask: SELECT place, c.name AS call, kind, late_ns, inside_ns, before_ns, synchronous, p.name AS peer_call, peer_place,
-- ask: d.name AS done_call, done_place FROM peer_side JOIN call_name c ON c.id = call JOIN call_name p ON p.id = peer_call
-- ask: LEFT JOIN call_name d ON d.id = done_call
-- rows:
-- place|call|kind|late_ns|inside_ns|before_ns|synchronous|peer_call|peer_place|done_call|done_place
-- unknown|MPI_Send|send|50|20|-|0|MPI_Irecv|main b.c:1|MPI_Wait|main b.c:2

-- case: a send that needed progress: how much of that time the receive had not been posted
-- Of 80 ns of late progress the first 50 were before the receive was posted. The send is synchronous.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO op_row (id, code, post, span, bytes, peer, comm, callsite)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Ssend kind=send mode=2 protocol=eager'), 100, 90, 8, 1, 1, 1),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv protocol=eager'), 150, 60, 8, 0, 1, 1);
INSERT INTO match_row (id, send, recv, send_enter, recv_enter, code, late, progress, wrong_order)
VALUES (1, first_id(0) + 1, first_id(1) + 1, 100, 50, pack('match_code', 'protocol=eager cause=late_progress waiting=1'),
	0, 80, 0);
-- ask: SELECT late_ns, inside_ns, before_ns, synchronous FROM peer_side
-- rows:
-- late_ns|inside_ns|before_ns|synchronous
-- 80|-|50|1
