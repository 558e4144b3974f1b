-- SPDX-License-Identifier: BSD-3-Clause
-- case: waits of messages by callsite and cause, with the longest live wait of the callsite's calls
-- on: report
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, wait_ns, max_wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 3, 90, 55),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 3, 90, 88);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, order_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 2, 2, 60, 5),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 2, 1, 1, 20, 0);
-- rows: values
-- wait|0|1|MPI_Recv|late_sender|3|80|55
-- wait|0|1|MPI_Recv|wrong_order|0|5|55
