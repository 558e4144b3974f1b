-- SPDX-License-Identifier: BSD-3-Clause
-- case: a collective names the rank that was waited for most
-- Three short waits for rank 2, one long one for rank 3.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_member'), 10, 2, 1, 0),
	(2, 0, 2, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_member'), 10, 2, 1, 0),
	(3, 0, 3, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_member'), 10, 2, 1, 0),
	(4, 0, 4, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_member'), 70, 3, 1, 0);
-- rows:
-- where|call|state|count|wait_ns|run_pct|longest_ns|late_rank|late_pct|waited_in|waited_at
-- unknown|MPI_Bcast|late_member|4|100|10|70|3|70|-|-

-- case: states are rows of their own, and a nonblocking one names the call that waited
-- Of the last wait it is unknown for whom it was.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', 'a.c', 1), (0, 9, 0, 'main', 'a.c', 9);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, done, start)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Ibarrier state=wait_at_barrier'), 40, 1, 1,
		pack('done', 'call=MPI_Wait callsite=9'), 0),
	(2, 0, 2, 1, pack('coll_wait_code', 'call=MPI_Ibarrier state=late_progress'), 10, NULL, 1,
		pack('done', 'call=MPI_Wait callsite=9'), 0);
-- rows:
-- where|call|state|count|wait_ns|run_pct|longest_ns|late_rank|late_pct|waited_in|waited_at
-- main a.c:1|MPI_Ibarrier|wait_at_barrier|1|40|4|40|1|100|MPI_Wait|main a.c:9
-- main a.c:1|MPI_Ibarrier|late_progress|1|10|1|10|-|100|MPI_Wait|main a.c:9
