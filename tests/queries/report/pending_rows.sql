-- SPDX-License-Identifier: BSD-3-Clause
-- case: an op that did not complete, and its age at the last record of any rank
-- Rank 0 posted at 100 and has records up to 1000; rank 1 has them up to 1500. It was found dead at 9000: it may have been older.
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'zero_realtime_ns', 50), (0, 'found_dead_ns', 9000),
	(1, 'end_ns', 1500), (1, 'zero_realtime_ns', 50);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(0) + 2, pack('op_code', 'call=MPI_Irecv kind=recv'), 120, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1,
		pack('done', 'call=MPI_Wait callsite=1'));
INSERT INTO pending_op_row SELECT id FROM op_row;
-- ask: SELECT rank, op_id, call, kind, peer, tag, bytes, least_ns, age_ns, in_call, cancelled, runs FROM pending_row
-- rows:
-- rank|op_id|call|kind|peer|tag|bytes|least_ns|age_ns|in_call|cancelled|runs
-- 0|1|MPI_Irecv|recv|1|3|8|1400|8900|0|0|0

-- case: the ages of ranks that run are those of one moment: rank 1 was read 300 ns after rank 0, and began its last after that
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'zero_realtime_ns', 50), (0, 'process', 'alive'), (0, 'unfinished', 1),
	(1, 'end_ns', 1310), (1, 'zero_realtime_ns', 40), (1, 'process', 'alive'), (1, 'unfinished', 1);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 90, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 100, 5, 8, 0, 3, pack('comm_thread', 'comm=1'), 1, 0),
	(first_id(1) + 2, pack('op_code', 'call=MPI_Irecv kind=recv'), 1300, 5, 8, 0, 3, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
-- ask: SELECT rank, op_id, least_ns, age_ns FROM pending_row
-- rows:
-- rank|op_id|least_ns|age_ns
-- 0|1|910|910
-- 1|1|910|910
-- 1|2|0|0

-- case: a rank that is still in MPI_Init has no time of its own, and says nothing of the ages of others
INSERT INTO run VALUES (0, 'end_ns', 5000), (0, 'zero_realtime_ns', 50), (0, 'process', 'alive'), (0, 'unfinished', 1),
	(1, 'end_ns', 0), (1, 'zero_realtime_ns', 50), (1, 'process', 'alive'), (1, 'unfinished', 1), (1, 'in_init', 1);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Irecv kind=recv'), 90, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row SELECT id FROM op_row;
-- ask: SELECT rank, op_id, least_ns, age_ns FROM pending_row
-- rows:
-- rank|op_id|least_ns|age_ns
-- 0|1|4910|4910
