-- SPDX-License-Identifier: BSD-3-Clause
-- case: waits in collectives by callsite and state, for whomever they were
-- on: report
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 30, 2, 1, 0),
	(2, 0, 2, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 50, 3, 1, 0),
	(3, 0, 3, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_member'), 10, 3, 1, 0);
-- rows: values
-- wait|0|1|MPI_Bcast|late_broadcast|2|80|50
-- wait|0|1|MPI_Bcast|late_member|1|10|10
