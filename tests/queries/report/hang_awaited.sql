-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks in receives wait for their peers
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 0, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1), (first_id(1) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1),
	(first_id(1), call('MPI_Recv'), 1, 100, first_id(1) + 1, 0, 5, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (0), (1)) JOIN unmatched_name ON name = 'pending';
-- ask: SELECT rank, peer, op_id, uid FROM awaited
-- rows:
-- rank|peer|op_id|uid
-- 0|1|0|-
-- 1|0|0|-

-- case: nothing is told where a pending message has found its partner
-- One of two pending receives was matched: what is on its way may still come.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 0, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1), (first_id(1) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1),
	(first_id(1), call('MPI_Recv'), 1, 100, first_id(1) + 1, 0, 5, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (0)) JOIN unmatched_name ON name = 'pending';
-- ask: SELECT rank, peer, op_id, uid FROM awaited
-- rows:
-- rank|peer|op_id|uid

-- case: a barrier waits for the member that has not begun it, if that one waits itself
-- Rank 0 is in its first barrier, rank 1 in a receive from rank 0, and rank 2 has begun the barrier, too.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 3, 'world'), (1, 1, 4711, 3, 'world'), (2, 1, 4711, 3, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0), (2, 'end_ns', 1000), (2, 'clean_finalize', 0);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 0, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(1) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(1), call('MPI_Recv'), 1, 100, first_id(1) + 1, 0, 5, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (1)) JOIN unmatched_name ON name = 'pending';
INSERT INTO in_call_row (id, call, callsite, enter, comm, seq)
VALUES (first_id(0), call('MPI_Barrier'), 1, 100, 1, 1), (first_id(2), call('MPI_Barrier'), 1, 100, 1, 1);
-- ask: SELECT rank, peer, op_id, uid FROM awaited ORDER BY rank
-- rows:
-- rank|peer|op_id|uid
-- 0|1|1|4711
-- 1|0|0|-
-- 2|1|1|4711

-- case: MPI_Wait may wait for any of several requests, and so it is told only of one; MPI_Waitall waits for each
-- Rank 0 has two requests in MPI_Wait, rank 1 one. Rank 2 has two in MPI_Waitall.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 3, 'world'), (1, 1, 4711, 3, 'world'), (2, 1, 4711, 3, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0), (2, 'end_ns', 1000), (2, 'clean_finalize', 0);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
SELECT first_id(column1) + column2, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, column3, 5,
	pack('comm_thread', 'comm=1'), 1, 0
FROM (VALUES (0, 1, 1), (0, 2, 2), (1, 1, 0), (2, 1, 0), (2, 2, 1));
INSERT INTO pending_op_row SELECT id FROM op_row;
INSERT INTO match_summary_cell (rank, kind, reason, ops) SELECT 0, 2, id, 5 FROM unmatched_name WHERE name = 'pending';
INSERT INTO in_call_row (id, call, callsite, enter)
VALUES (first_id(0), call('MPI_Wait'), 1, 200), (first_id(1), call('MPI_Wait'), 1, 200),
	(first_id(2), call('MPI_Waitall'), 1, 200);
-- ask: SELECT rank, peer, op_id, uid FROM awaited ORDER BY rank, op_id
-- rows:
-- rank|peer|op_id|uid
-- 1|0|1|-
-- 2|0|1|-
-- 2|1|2|-
