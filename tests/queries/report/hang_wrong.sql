-- SPDX-License-Identifier: BSD-3-Clause
-- case: a rank that the communicator does not have, a tag that no message has, and a message to any rank
-- Rank 0 sends to rank 7 of 2. Rank 1 receives with tag -2. Rank 2 sends to any. Rank 3 receives from any, with any tag.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 4, 'world'), (1, 1, 4711, 4, 'world'), (2, 1, 4711, 4, 'world'), (3, 1, 4711, 4, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0), (2, 'end_ns', 1000), (2, 'clean_finalize', 0), (3, 'end_ns', 1000), (3, 'clean_finalize', 0);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 8, NULL, 5, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 0, -2, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(2) + 1, pack('op_code', 'call=MPI_Send kind=send any_source'), 100, 8, NULL, 5,
		pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(3) + 1, pack('op_code', 'call=MPI_Recv kind=recv any_source any_tag'), 100, 8, NULL, -1,
		pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm, not_there)
VALUES (first_id(0), call('MPI_Send'), 1, 100, first_id(0) + 1, NULL, 5, 1, 7),
	(first_id(1), call('MPI_Recv'), 1, 100, first_id(1) + 1, 0, -2, 1, NULL),
	(first_id(2), call('MPI_Send'), 1, 100, first_id(2) + 1, NULL, 5, 1, NULL),
	(first_id(3), call('MPI_Recv'), 1, 100, first_id(3) + 1, NULL, -1, 1, NULL);
-- ask: SELECT rank, op_id FROM wrong
-- rows:
-- rank|op_id
-- 0|1
-- 1|1
-- 2|1
