-- SPDX-License-Identifier: BSD-3-Clause
-- case: ops that differ in their age alone are one row for people; the oldest come first, cancelled ones last
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO comm_row (rank, comm, uid, size, name) VALUES (0, 1, 4711, 2, 'world');
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Irecv kind=recv'), 150, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 3, pack('op_code', 'call=MPI_Irecv kind=recv'), 50, 5, 8, 1, 4, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 4, pack('op_code', 'call=MPI_Irecv kind=recv cancelled'), 10, 5, 8, 1, 4, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
-- rows:
-- rank|call|kind|peer|tag|bytes|age_ns|state|where|op_id|in_call|cancelled|least_ns|runs|times|of_all|comm_name|comm_number|error|sends|not_there|members|differs|from_rank|from_call|from_place|from_tag|from_comm|from_bytes|missing_count|missing|other_ranks|other_count|other_call|more_calls
-- 0|MPI_Irecv|recv|1|4|8|950|posted|-|3|0|0|950|0|1|3|world|-|-|-|-|-|-|-|-|-|-|-|-|0|-|-|-|-|-
-- 0|MPI_Irecv|recv|1|3|8|900|posted|-|1|0|0|900|0|2|3|world|-|-|-|-|-|-|-|-|-|-|-|-|0|-|-|-|-|-
-- 0|MPI_Irecv|recv|1|4|8|990|cancelled|-|4|0|1|990|0|1|3|world|-|-|-|-|-|-|-|-|-|-|-|-|0|-|-|-|-|-

-- case: machines get each op
-- for: data
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Irecv kind=recv'), 150, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
-- rows:
-- rank|call|kind|peer|tag|bytes|age_ns|state|where|op_id|in_call|cancelled|least_ns|runs|times|of_all|comm_name|comm_number|error|sends|not_there|members|differs|from_rank|from_call|from_place|from_tag|from_comm|from_bytes|missing_count|missing|other_ranks|other_count|other_call|more_calls
-- 0|MPI_Irecv|recv|1|3|8|900|posted|-|1|0|0|900|0|1|2|-|1|-|-|-|-|-|-|-|-|-|-|-|0|-|-|-|-|-
-- 0|MPI_Irecv|recv|1|3|8|850|posted|-|2|0|0|850|0|1|2|-|1|-|-|-|-|-|-|-|-|-|-|-|0|-|-|-|-|-

-- case: a collective that a member has not begun
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 2, 'world'), (1, 1, 4711, 2, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO coll_row (id, code, seq, comm, post, span, callsite, done)
VALUES (first_id(0) + 1, pack('coll_code', 'call=MPI_Barrier'), 2, pack('comm_thread', 'comm=1'), 100, NULL, 1, 0),
	(first_id(1) + 1, pack('coll_code', 'call=MPI_Barrier'), 1, pack('comm_thread', 'comm=1'), 50, 10, 1, NULL);
INSERT INTO pending_coll_row VALUES (first_id(0) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, comm, seq) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, 1, 1, 2);
-- rows:
-- rank|call|kind|peer|tag|bytes|age_ns|state|where|op_id|in_call|cancelled|least_ns|runs|times|of_all|comm_name|comm_number|error|sends|not_there|members|differs|from_rank|from_call|from_place|from_tag|from_comm|from_bytes|missing_count|missing|other_ranks|other_count|other_call|more_calls
-- 0|MPI_Barrier|collective|-|-|-|900|in call|-|2|1|0|900|0|1|1|world|-|-|-|-|-|-|-|-|-|-|-|-|1|1|-|-|-|-
