-- SPDX-License-Identifier: BSD-3-Clause
-- case: means of each size; a prediction's mean is over messages that have one
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns, predicted_ns, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 4, 2, 20, 100, 40, 60),
	(1, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 0, 4, 2, 20, 100, 80, 20),
	(1, 2, pack('wait_code', 'call=MPI_Send kind=send protocol=eager no_prediction'), 0, 4, 4, 40, 800, 0, 0),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 5, 1, 17, 7, 5, 2),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager proc_null'), -1, 4, 9, 90, 9, 9, 9);
-- rows:
-- kind|protocol|least_bytes|below_bytes|count|mean_bytes|predicted_mean_ns|blocked_mean_ns|wait_ns
-- send|eager|8|16|8|10|30|125|80
-- send|eager|16|32|1|17|5|7|2
