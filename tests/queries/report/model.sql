-- SPDX-License-Identifier: BSD-3-Clause
-- case: calls that waited for nobody show how far off predictions are
-- Sends that only full buffers can keep, and buffered ones. First messages, other causes and receives do not count.
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, predicted_ns, blocked_ns, excess_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager cause=flow_control'), 1, 4, 10, 1000, 1200, 200),
	(0, 2, pack('wait_code', 'call=MPI_Bsend kind=send mode=1 protocol=eager'), 1, 5, 10, 3000, 3400, 400),
	(1, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager cause=flow_control'), 0, 4, 5, 500, 550, 50),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager cause=flow_control first'), 1, 4, 1, 100, 9000, 8900),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager cause=late_receiver'), 1, 4, 1, 100, 9000, 8900),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send cause=flow_control no_prediction'), 1, 4, 1, 0, 9000, 9000),
	(0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 4, 1, 100, 9000, 8900);
-- rows:
-- kind|protocol|count|predicted_ns|blocked_ns|error_ns|error_pct
-- send|eager|25|180|206|26|14.4444
