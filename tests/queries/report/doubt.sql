-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks lacked a CPU for more than a tenth of their time
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (0, 'cpu_wait_ns', 201), (1, 'cpu_wait_ns', 0);
-- ask: SELECT * FROM doubt
-- rows:
-- why|ns|pct|first
-- no_cpu|201|10.05|1

-- case: a tenth is no doubt
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'cpu_wait_ns', 100);
-- ask: SELECT count(*) FROM doubt
-- rows: values
-- 0

-- case: no message is predicted
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'cpu_wait_ns', 500);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 1, 300);
-- ask: SELECT * FROM doubt
-- rows:
-- why|ns|pct|first
-- no_cpu|500|50|1
-- unpredicted|300|30|0

-- case: some messages are
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 1, 300),
	(0, 2, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 1, 5);
-- ask: SELECT count(*) FROM doubt
-- rows: values
-- 0
