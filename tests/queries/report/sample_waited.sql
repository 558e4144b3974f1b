-- SPDX-License-Identifier: BSD-3-Clause
-- case: of a message, the op that waited and the other one
-- A send waited 50 ns for its rendezvous. The second message waited for room, and the third not at all.
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
-- ask: SELECT op = first_id(0) + 1 AS is_send, peer_op = first_id(1) + 1 AS of_recv, protocol, cause, late_ns, apart
-- ask: FROM waited
-- rows:
-- is_send|of_recv|protocol|cause|late_ns|apart
-- 1|1|rendezvous|late_receiver|50|50

-- case: both ops, and for how long each lay until the call in which it blocked
-- The receive was posted by MPI_Irecv, which took 10 ns, 5 ns before MPI_Wait at callsite 2.
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
-- ask: SELECT rank, c.name AS call, kind, mode, post, callsite, d.name AS done, done_callsite, until_done FROM sample_op
-- ask: JOIN call_name c ON c.id = call LEFT JOIN call_name d ON d.id = done_call
-- rows:
-- rank|call|kind|mode|post|callsite|done|done_callsite|until_done
-- 0|MPI_Send|send|standard|100|1|-|-|0
-- 1|MPI_Irecv|recv|standard|150|1|MPI_Wait|2|15

-- case: of late progress and of the wrong order, their own part is looked at
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO op_row (id, code, post, span, bytes, peer, comm, callsite)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Send kind=send protocol=eager'), 100, 5, 8, 1, 1, 1),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv protocol=eager'), 80, 60, 8, 0, 1, 1);
INSERT INTO match_row (id, send, recv, send_enter, recv_enter, code, late, progress, wrong_order)
VALUES (1, first_id(0) + 1, first_id(1) + 1, 100, -20, pack('match_code', 'protocol=eager cause=late_progress waiting=2'),
		20, 30, 4),
	(2, first_id(0) + 1, first_id(1) + 1, 100, -20, pack('match_code', 'protocol=eager cause=wrong_order waiting=2'),
		20, 30, 4),
	(3, first_id(0) + 1, first_id(1) + 1, 100, -20, pack('match_code', 'protocol=eager cause=late_sender waiting=2'),
		20, 30, 4);
-- ask: SELECT cause, late_ns, apart FROM waited
-- rows:
-- cause|late_ns|apart
-- late_progress|30|-
-- wrong_order|4|-
-- late_sender|20|-
