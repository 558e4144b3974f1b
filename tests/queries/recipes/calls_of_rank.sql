-- SPDX-License-Identifier: BSD-3-Clause
-- case: the calls of rank 0 in time, other ranks are left out
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, predicted, done, gap, complete, poll)
VALUES (1, pack('op_code', 'call=MPI_Send kind=send'), 500, 20, 64, 1, 3, 0, 1, 15, NULL, NULL, NULL, NULL),
	((1 << 40) + 1, pack('op_code', 'call=MPI_Irecv kind=recv waited'), 100, 10, 64, 0, 3, 0, 1, 30,
		pack('done', 'call=MPI_Wait callsite=2'), 90, 330, 40);
INSERT INTO coll_row (id, code, seq, comm, post, span, callsite, sent_bytes)
VALUES (1, pack('coll_code', 'call=MPI_Bcast'), 1, 0, 700, 30, 1, 8);
-- rows:
-- enter_ns|leave_ns|call|peer|bytes|function|line
-- 500|520|MPI_Send|1|64|give|7
-- 700|730|MPI_Bcast|-|8|give|7

-- case: a call that completed two messages is one row, however the clock drifted between their posts
INSERT INTO clock_cell VALUES (0, 0, 0, 0, -1000, 1000000);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, predicted, done, gap, complete, poll)
VALUES (1, pack('op_code', 'call=MPI_Irecv kind=recv'), 1000, 10, 64, 1, 3, 0, 1, 30, pack('done', 'call=MPI_Waitall callsite=2'), 98990, 500, NULL),
	(2, pack('op_code', 'call=MPI_Irecv kind=recv'), 51000, 10, 64, 2, 3, 0, 1, 30, pack('done', 'call=MPI_Waitall callsite=2'), 48990, 500, NULL);
-- rows:
-- enter_ns|leave_ns|call|peer|bytes|function|line
-- 999|1009|MPI_Irecv|1|64|-|-
-- 50949|50959|MPI_Irecv|2|64|-|-
-- 99900|100400|MPI_Waitall|-|-|-|-
