-- SPDX-License-Identifier: BSD-3-Clause
-- case: an arrow leads from the entry of a send to the last instant in which its receive was complete
-- Receives: blocking, in MPI_Wait, in a wait that took no time, and one that did not complete.
INSERT INTO op_row (id, code, post, span, bytes, comm, callsite, done, gap, complete)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 10, 8, pack('comm_thread', 'comm=1'), 1, NULL, NULL, NULL),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 150, 20, 9, pack('comm_thread', 'comm=1 thread=2'), 1, NULL,
		NULL, NULL),
	(first_id(1) + 2, pack('op_code', 'call=MPI_Irecv kind=recv'), 150, 10, 9, 1, 1, pack('done', 'call=MPI_Wait callsite=1'), 5,
		20),
	(first_id(1) + 3, pack('op_code', 'call=MPI_Irecv kind=recv'), 150, 10, 9, 1, 1, pack('done', 'call=MPI_Wait callsite=1'), 5,
		0),
	(first_id(1) + 4, pack('op_code', 'call=MPI_Irecv kind=recv'), 150, 10, 9, 1, 1, 0, NULL, NULL);
WITH k(n) AS (VALUES (1), (2), (3), (4))
INSERT INTO match_row (id, send, recv) SELECT n, first_id(0) + 1, first_id(1) + n FROM k;
-- rows: values
-- 1|0|0|100|1|2|169|150|8
-- 2|0|0|100|1|0|184|150|8
-- 3|0|0|100|1|0|165|150|8
