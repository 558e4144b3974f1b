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

-- case: a rank was killed, and its recorded times without a CPU are more than a tenth; sleep is none
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'cpu_wait_ns', 50), (1, 'end_ns', 1000), (1, 'clean_finalize', 0),
	(1, 'sample_period_ns', 10000);
INSERT INTO off_cpu_row (id, enter, span, thread, what, callsite, after)
SELECT (1 << 40) + n, 0, span, thread, w.id, 1, 0 FROM off_cpu_name w
JOIN (SELECT 1 AS n, 90 AS span, 0 AS thread, 'preempted' AS name UNION ALL SELECT 2, 40, 0, 'polling'
	UNION ALL SELECT 3, 700, 0, 'gave_up' UNION ALL SELECT 4, 700, 1, 'preempted') USING (name);
INSERT INTO off_cpu_cell SELECT 1, 0, id, 1, 0, 3, 60, 30 FROM off_cpu_name WHERE name = 'preempted';
-- ask: SELECT * FROM doubt
-- rows:
-- why|ns|pct|first
-- no_cpu|240|12|1

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
