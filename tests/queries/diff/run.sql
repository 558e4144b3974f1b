-- SPDX-License-Identifier: BSD-3-Clause
-- case: the program, its ranks, messages sent, and time that is not predicted
-- on: report
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'program', 'ring'), (1, 'end_ns', 1000),
	(0, 'world_size', 3), (1, 'world_size', 3);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 5, 10),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send proc_null'), -1, 7, 0),
	(1, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 0, 5, 60);
-- rows: values
-- ring|2|5|60|link parameters are missing|1000|3
