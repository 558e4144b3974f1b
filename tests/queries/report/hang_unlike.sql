-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks in different collectives under one number
-- Rank 0 is in a barrier, rank 1 in a broadcast, rank 2 has left the barrier's row behind.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 3, 'world'), (1, 1, 4711, 3, 'world'), (2, 1, 4711, 3, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0), (2, 'end_ns', 1000), (2, 'clean_finalize', 0);
INSERT INTO coll_row (id, code, seq, comm, post, span, callsite)
VALUES (first_id(2) + 1, pack('coll_code', 'call=MPI_Barrier'), 1, pack('comm_thread', 'comm=1'), 0, 5, 1);
INSERT INTO in_call_row (id, call, callsite, enter, comm, seq)
VALUES (first_id(0), call('MPI_Barrier'), 1, 100, 1, 1), (first_id(1), call('MPI_Bcast'), 1, 100, 1, 1);
-- ask: SELECT rank, comm, op_id, call FROM unlike ORDER BY rank
-- rows:
-- rank|comm|op_id|call
-- 0|1|1|MPI_Barrier
-- 1|1|1|MPI_Bcast

-- case: one name for large counts is the same collective, and another number is another one
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 3, 'world'), (1, 1, 4711, 3, 'world'), (2, 1, 4711, 3, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0), (2, 'end_ns', 1000), (2, 'clean_finalize', 0);
INSERT INTO in_call_row (id, call, callsite, enter, comm, seq)
VALUES (first_id(0), call('MPI_Bcast'), 1, 100, 1, 1), (first_id(1), call('MPI_Bcast_c'), 1, 100, 1, 1),
	(first_id(2), call('MPI_Barrier'), 1, 100, 1, 2);
-- ask: SELECT rank, comm, op_id, call FROM unlike
-- rows:
-- rank|comm|op_id|call
