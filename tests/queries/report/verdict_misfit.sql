-- SPDX-License-Identifier: BSD-3-Clause
-- case: the first receive whose message differs in one thing; any tag is none
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Recv kind=recv any_tag'), 100, NULL, 8, 1, -1, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('hung');
INSERT INTO misfit (rank, op_id, differs, from_rank, from_call, from_tag)
VALUES (0, 1, 'tag', 1, 'MPI_Send', 4), (0, 2, 'comm', 1, 'MPI_Send', 4);
-- rows:
-- rank|call|in_call|peer|awaited|differs|from_rank|from_call|from_place|from_tag|from_comm|from_bytes
-- 0|MPI_Irecv|0|1|3|tag|1|MPI_Send|-|4|-|-

-- case: a receive of any tag
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Recv kind=recv any_tag'), 100, NULL, 8, 1, -1, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('hung');
INSERT INTO misfit (rank, op_id, differs, from_rank) VALUES (0, 2, 'comm', 1);
-- rows:
-- rank|call|in_call|peer|awaited|differs|from_rank|from_call|from_place|from_tag|from_comm|from_bytes
-- 0|MPI_Recv|1|1|-|comm|1|-|-|-|-|-

-- case: a job that may go on has none
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Recv kind=recv any_tag'), 100, NULL, 8, 1, -1, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('waits');
INSERT INTO misfit (rank, op_id, differs, from_rank) VALUES (0, 2, 'comm', 1);
-- rows:
-- rank|call|in_call|peer|awaited|differs|from_rank|from_call|from_place|from_tag|from_comm|from_bytes
