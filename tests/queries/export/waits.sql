-- SPDX-License-Identifier: BSD-3-Clause
-- case: the wait of the side that waited; unexplained time counts where it is the cause, and not below zero
-- The first receive waited 60 ns for its sender, beside 9 unexplained ones; the second 7; the third less than nothing. Nobody
-- waited in the last message.
INSERT INTO match_row (id, send, recv, code, late, progress, wrong_order, flow, contention, other)
VALUES (1, first_id(0) + 1, first_id(1) + 1, pack('match_code', 'cause=late_sender waiting=2'), 50, 10, 0, 0, 0, 9),
	(2, first_id(0) + 2, first_id(1) + 2, pack('match_code', 'cause=unexplained waiting=1'), 0, 0, 0, 0, 0, 7),
	(3, first_id(0) + 3, first_id(1) + 3, pack('match_code', 'cause=unexplained waiting=2'), 0, 0, 0, 0, 0, -7),
	(4, first_id(0) + 4, first_id(1) + 4, pack('match_code', ''), 5, 0, 0, 0, 0, 0);
-- ask: SELECT rank_of(op) AS rank, op - first_id(rank_of(op)) AS op_id, wait, name AS cause FROM exact_wait
-- ask: JOIN cause_name ON id = cause ORDER BY 1, 2
-- rows:
-- rank|op_id|wait|cause
-- 0|2|7|unexplained
-- 1|1|60|late_sender
-- 1|3|0|unexplained

-- case: waits in collectives, and ops with and without one
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start)
VALUES (1, 0, 2, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 30, 3, 1, 5);
INSERT INTO op_row (id, code, post, span, bytes, comm, callsite)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 10, 8, 1, 1),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Send kind=send'), 200, 10, 8, 1, 1);
INSERT INTO match_row (id, send, recv, code, late, progress, wrong_order, flow, contention, other)
VALUES (1, first_id(0) + 1, first_id(1) + 1, pack('match_code', 'cause=late_receiver waiting=1'), 50, 0, 0, 0, 0, 0);
-- ask: SELECT post, o.wait, c.seq, c.start, c.wait AS coll_wait, c.state, c.late_rank FROM export_op o, exact_coll_wait c
-- rows:
-- post|wait|seq|start|coll_wait|state|late_rank
-- 100|50|2|5|30|3|3
-- 200|-|2|5|30|3|3
