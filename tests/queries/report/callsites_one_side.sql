-- SPDX-License-Identifier: BSD-3-Clause
-- case: callsites of one line add up over ranks, and the longest wait is that of one op
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', 'a.c', 1), (1, 1, 0, 'main', 'a.c', 1), (1, 2, 0, 'main', 'a.c', 2);
INSERT INTO wait_cell (rank, callsite, code, peer, comm, bytes_log2, count, bytes, blocked_ns, predicted_ns, excess_ns,
	wait_ns, max_wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 1, 4, 1, 8, 90, 10, 80, 80, 80),
	(1, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 0, 1, 4, 2, 16, 90, 20, 70, 70, 40),
	(1, 2, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 0, 1, 4, 1, 8, 60, 10, 50, 50, 50),
	(1, 3, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 0, 1, 4, 1, 8, 60, 60, 0, 0, 0),
	(1, 2, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager proc_null'), -1, 1, 0, 1, 0, 900, 0, 900, 900, 900);
-- rows:
-- where|call|count|wait_ns|share_pct|longest_ns
-- main a.c:1|MPI_Send|3|150|75|80
-- main a.c:2|MPI_Recv|1|50|25|50
