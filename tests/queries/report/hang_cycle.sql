-- SPDX-License-Identifier: BSD-3-Clause
-- case: two of three ranks wait for each other, and the third for one of them
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 3, 'world'), (1, 1, 4711, 3, 'world'), (2, 1, 4711, 3, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0), (2, 'end_ns', 1000), (2, 'clean_finalize', 0);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 2, 6, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(2) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 7, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1), (first_id(1) + 1), (first_id(2) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1),
	(first_id(1), call('MPI_Recv'), 1, 100, first_id(1) + 1, 2, 6, 1),
	(first_id(2), call('MPI_Recv'), 1, 100, first_id(2) + 1, 1, 7, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (0), (1), (2)) JOIN unmatched_name ON name = 'pending';
-- ask: SELECT start, c.steps, others, rank, edge.peer FROM circle c, (SELECT DISTINCT others FROM cycle), edge ORDER BY rank
-- rows:
-- start|steps|others|rank|peer
-- 1|2|1|0|1
-- 1|2|1|1|2
-- 1|2|1|2|1

-- case: a rank outside MPI may release the others
-- Rank 2 computes.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 3, 'world'), (1, 1, 4711, 3, 'world'), (2, 1, 4711, 3, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0), (2, 'end_ns', 1000), (2, 'clean_finalize', 0);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 2, 6, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1), (first_id(1) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1),
	(first_id(1), call('MPI_Recv'), 1, 100, first_id(1) + 1, 2, 6, 1);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 2, id, 1 FROM (VALUES (0), (1)) JOIN unmatched_name ON name = 'pending';
-- ask: SELECT (SELECT count(*) FROM circle) AS circles, (SELECT count(*) FROM edge) AS edges, rank FROM goes_on ORDER BY rank
-- rows:
-- circles|edges|rank
-- 0|0|0
-- 0|0|1
