-- SPDX-License-Identifier: BSD-3-Clause
-- case: collectives that stood still are told from a hundredth of the waits on
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_progress'), 1, 2, 1, 0),
	(2, 0, 2, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_member'), 99, 2, 1, 0);
-- rows:
-- still_ns
-- 1

-- case: less than a hundredth is not told
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_progress'), 1, 2, 1, 0),
	(2, 0, 2, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_member'), 100, 2, 1, 0);
-- rows:
-- still_ns
