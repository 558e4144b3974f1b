-- SPDX-License-Identifier: BSD-3-Clause
-- case: the other side sent with another tag and has ended
-- Rank 1 sent tag 6 to rank 0, which waits for tag 5.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (0)) JOIN unmatched_name ON name = 'pending';
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite)
VALUES (first_id(1) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 5, 8, 0, 6, pack('comm_thread', 'comm=1'), 1);
INSERT INTO alone_row SELECT first_id(1) + 1, id FROM unmatched_name WHERE name = 'not_received';
-- ask: SELECT rank, op_id FROM misfit
-- rows:
-- rank|op_id
-- 0|1

-- case: a message to another rank, or one that still computes, is none
-- Rank 1 sent to itself and has ended. Rank 0 waits for rank 2, which computes and may still send.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 3, 'world'), (1, 1, 4711, 3, 'world'), (2, 1, 4711, 3, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 1), (2, 'end_ns', 1000), (2, 'clean_finalize', 0);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 2, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 2, 5, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (0)) JOIN unmatched_name ON name = 'pending';
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite)
VALUES (first_id(1) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 5, 8, 1, 6, pack('comm_thread', 'comm=1'), 1),
	(first_id(2) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 5, 8, 0, 6, pack('comm_thread', 'comm=1'), 1);
INSERT INTO alone_row SELECT first_id(1) + 1, id FROM unmatched_name WHERE name = 'not_received';
INSERT INTO alone_row SELECT first_id(2) + 1, id FROM unmatched_name WHERE name = 'not_received';
-- ask: SELECT rank, op_id FROM misfit
-- rows:
-- rank|op_id
