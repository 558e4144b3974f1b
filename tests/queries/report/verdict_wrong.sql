-- SPDX-License-Identifier: BSD-3-Clause
-- case: the first call that the library refuses; an op that is not inside a call is none
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Recv kind=recv any_tag'), 100, NULL, 8, 1, -1, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('hung');
INSERT INTO wrong (rank, op_id, error, sends) VALUES (0, 1, 'no_such_tag', 0), (0, 2, 'no_such_rank', 0);
-- rows:
-- rank|call|tag|error|sends|not_there|comm_name|comm_number|members
-- 0|MPI_Recv|-1|no_such_rank|0|-|-|-|-

-- case: a job that may go on has none
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Recv kind=recv any_tag'), 100, NULL, 8, 1, -1, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('waits');
INSERT INTO wrong (rank, op_id, error, sends) VALUES (0, 2, 'no_such_rank', 0);
-- rows:
-- rank|call|tag|error|sends|not_there|comm_name|comm_number|members
