-- SPDX-License-Identifier: BSD-3-Clause
-- case: the ops that waited, with their line
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, predicted, done, gap, complete, poll)
VALUES (1, pack('op_code', 'call=MPI_Send kind=send'), 500, 20, 64, 1, 3, 0, 1, 15, NULL, NULL, NULL, NULL),
	((1 << 40) + 1, pack('op_code', 'call=MPI_Irecv kind=recv waited'), 100, 10, 64, 0, 3, 0, 1, 30,
		pack('done', 'call=MPI_Wait callsite=2'), 90, 330, 40);
-- rows:
-- rank|call|peer|bytes|wait_ns|cause_hint|function|file|line
-- 1|MPI_Irecv|0|64|300|-|give|a.c|7
