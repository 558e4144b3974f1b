-- SPDX-License-Identifier: BSD-3-Clause
-- case: each member's last collective is that of its last rows or of the call that it is in
-- Rank 0 waits in the third, rank 1 has begun the second, rank 2 none. Rank 3 has dropped rows.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 4, 'world'), (1, 1, 4711, 4, 'world'), (2, 1, 4711, 4, 'world'), (3, 1, 4711, 4, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0), (2, 'end_ns', 1000), (2, 'clean_finalize', 0), (3, 'end_ns', 1000), (3, 'clean_finalize', 0);
INSERT INTO run VALUES (3, 'dropped_collective', 2);
INSERT INTO coll_row (id, code, seq, comm, post, span, callsite)
VALUES (first_id(0) + 1, pack('coll_code', 'call=MPI_Barrier'), 1, pack('comm_thread', 'comm=1'), 0, 5, 1),
	(first_id(1) + 1, pack('coll_code', 'call=MPI_Barrier'), 1, pack('comm_thread', 'comm=1'), 0, 5, 1),
	(first_id(1) + 2, pack('coll_code', 'call=MPI_Barrier'), 2, pack('comm_thread', 'comm=1'), 10, 5, 1),
	(first_id(2) + 1, pack('coll_code', 'call=MPI_Barrier'), 9, pack('comm_thread', 'comm=2'), 10, 5, 1),
	(first_id(3) + 1, pack('coll_code', 'call=MPI_Barrier'), 2, pack('comm_thread', 'comm=1'), 10, 5, 1);
INSERT INTO in_call_row (id, call, callsite, enter, comm, seq) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, 1, 3);
-- ask: SELECT uid, rank, comm, seq FROM reached
-- rows:
-- uid|rank|comm|seq
-- 4711|0|1|3
-- 4711|1|1|2
-- 4711|2|1|-1
-- 4711|3|1|-

-- case: without a pending collective there is nothing to ask for
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (0)) JOIN unmatched_name ON name = 'pending';
-- ask: SELECT uid, rank FROM reached
-- rows:
-- uid|rank
