-- SPDX-License-Identifier: BSD-3-Clause
-- case: who was late in collectives
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start, no_cpu, blocked_outside)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 30, 1, 1, 0, 10, 0),
	(2, 0, 2, 1, pack('coll_wait_code', 'call=MPI_Bcast state=late_broadcast'), 50, 1, 1, 0, 0, 0);
-- rows:
-- late_rank|count|wait_ns|no_cpu_ns
-- 1|2|80|10
