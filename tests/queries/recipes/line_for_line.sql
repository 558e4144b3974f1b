-- SPDX-License-Identifier: BSD-3-Clause
-- case: a receive that waited for the send of another line
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, predicted, done, gap, complete, poll)
VALUES (1, pack('op_code', 'call=MPI_Send kind=send'), 500, 20, 64, 1, 3, 0, 1, 15, NULL, NULL, NULL, NULL),
	((1 << 40) + 1, pack('op_code', 'call=MPI_Irecv kind=recv waited'), 100, 10, 64, 0, 3, 0, 1, 30,
		pack('done', 'call=MPI_Wait callsite=2'), 90, 330, 40);
INSERT INTO match_row (id, send, recv, send_enter, recv_enter, code, late, progress, wrong_order, flow, contention, other)
VALUES (1, 1, (1 << 40) + 1, 500, -400, pack('match_code', 'cause=late_sender waiting=2'), 300, 0, 0, 0, 0, 0);
-- rows:
-- function|file|line|call|peer_function|peer_file|peer_line|peer_call|cause|waits|wait_ns
-- give|a.c|7|MPI_Irecv|give|a.c|7|MPI_Send|late_sender|1|300
