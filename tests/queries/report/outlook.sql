-- SPDX-License-Identifier: BSD-3-Clause
-- case: nothing was recorded
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
-- ask: SELECT alone, ends FROM outlook
-- rows:
-- alone|ends
-- 1|1

-- case: ranks that were in a call that never returned
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (0)) JOIN unmatched_name ON name = 'pending';
-- ask: SELECT alone, ends FROM outlook
-- rows:
-- alone|ends
-- 0|1

-- case: of ranks without a file nothing is known, and waits are still spoken of
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'world_size', 3);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- ask: SELECT alone, ends FROM outlook
-- rows:
-- alone|ends
-- 0|0

-- case: the job ended long after the last record of ranks that hung
-- Its ranks wait for each other. They were found dead after 20000 ns, and have records of 1000.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO run VALUES (0, 'found_dead_ns', 20000), (1, 'found_dead_ns', 20000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 0, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1), (first_id(1) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1),
	(first_id(1), call('MPI_Recv'), 1, 100, first_id(1) + 1, 0, 5, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (0), (1)) JOIN unmatched_name ON name = 'pending';
-- ask: SELECT alone, ends FROM outlook
-- rows:
-- alone|ends
-- 2|1
