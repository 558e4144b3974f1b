-- SPDX-License-Identifier: BSD-3-Clause
-- case: messages by kind and protocol; where the protocol is unknown, so are predictions and waits
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns, predicted_ns, wait_ns, max_wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager cause=flow_control'), 1, 4, 2, 16, 100, 40, 60, 50),
	(1, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager cause=flow_control'), 0, 4, 1, 8, 50, 30, 20, 20),
	(0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 4, 3, 24, 200, 80, 120, 120),
	(0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 4, 1, 8, 70, 0, 0, 0),
	(0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager proc_null'), -1, 0, 5, 0, 9, 0, 9, 9);
-- rows:
-- kind|protocol|count|bytes|blocked_ns|predicted_ns|wait_ns|share_pct
-- recv|eager|3|24|200|80|120|60
-- send|eager|3|24|150|70|80|40
-- recv|unknown|1|8|70|-|-|-
