-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks that did not come to their end, and the call that each was in
-- Rank 0 is in a receive, rank 1 in a probe, rank 2 outside. Rank 3 ended well.
INSERT INTO match_info VALUES ('messages', 1);
INSERT INTO comm_row (rank, comm, uid, size, name)
VALUES (0, 1, 4711, 4, 'world'), (1, 1, 4711, 4, 'world'), (2, 1, 4711, 4, 'world'), (3, 1, 4711, 4, 'world');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0), (2, 'end_ns', 1000), (2, 'clean_finalize', 0), (3, 'end_ns', 1000), (3, 'clean_finalize', 1);
INSERT INTO op_row (id, code, post, bytes, peer, tag, comm, callsite, done)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 8, 1, 5, pack('comm_thread', 'comm=1'), 1, 0);
INSERT INTO pending_op_row VALUES (first_id(0) + 1);
INSERT INTO in_call_row (id, call, callsite, enter, op, peer, tag, comm)
VALUES (first_id(0), call('MPI_Recv'), 1, 100, first_id(0) + 1, 1, 5, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer, tag, comm) VALUES (first_id(1), call('MPI_Probe'), 2, 100, 0, 4, 1);
-- ask: SELECT rank, runs, calls, call, callsite, peer, kind, tag FROM at_end
-- rows:
-- rank|runs|calls|call|callsite|peer|kind|tag
-- 0|0|1|MPI_Recv|1|1|recv|5
-- 1|0|1|MPI_Probe|2|0|recv|4
-- 2|0|0|-|-|-|-|-

-- case: what is said holds at least where records were lost
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'lost_bytes', 64), (0, 'unrecorded_ns', 100);
-- ask: SELECT (SELECT count(*) FROM bound) AS bound, ns, run FROM unrecorded
-- rows:
-- bound|ns|run
-- 1|100|1000

-- case: nothing was lost
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'lost_bytes', 0);
-- ask: SELECT (SELECT count(*) FROM bound) AS bound, ns, run FROM unrecorded
-- rows:
-- bound|ns|run
-- 0|-|1000

-- case: a rank that went on from MPI_Abort into MPI_Finalize was ended by MPI_Abort
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO in_call_row (id, call, callsite, enter) VALUES (first_id(0), call('MPI_Finalize'), 2, 100);
INSERT INTO in_call_row (id, call, callsite, enter) VALUES (first_id(1), call('MPI_Barrier'), 3, 100);
INSERT INTO call_cell SELECT 0, 0, id, 7, 1, 0, 200, 200, 0, 0 FROM call_name WHERE name = 'MPI_Abort';
-- ask: SELECT rank, calls, call, callsite FROM at_end
-- rows:
-- rank|calls|call|callsite
-- 0|1|MPI_Abort|7
-- 1|1|MPI_Barrier|3
