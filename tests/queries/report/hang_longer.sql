-- SPDX-License-Identifier: BSD-3-Clause
-- case: a message of 16 bytes does not fit into a receive of 8
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite)
VALUES (first_id(1) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 5, 16, 0, 5, pack('comm_thread', 'comm=1'), 1);
INSERT INTO match_row (id, send, recv) VALUES (1, first_id(1) + 1, first_id(0) + 1);
-- ask: SELECT rank, op_id FROM misfit
-- rows:
-- rank|op_id
-- 0|1

-- case: one of 8 bytes fits
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite)
VALUES (first_id(1) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 5, 8, 0, 5, pack('comm_thread', 'comm=1'), 1);
INSERT INTO match_row (id, send, recv) VALUES (1, first_id(1) + 1, first_id(0) + 1);
-- ask: SELECT rank, op_id FROM misfit
-- rows:
-- rank|op_id

-- case: nothing is told where a rank's rows are not complete
INSERT INTO run VALUES (1, 'dropped_ops', 1);
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite)
VALUES (first_id(1) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 5, 16, 0, 5, pack('comm_thread', 'comm=1'), 1);
INSERT INTO match_row (id, send, recv) VALUES (1, first_id(1) + 1, first_id(0) + 1);
-- ask: SELECT rank, op_id FROM misfit
-- rows:
-- rank|op_id
