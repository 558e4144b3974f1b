-- SPDX-License-Identifier: BSD-3-Clause
-- case: the bottleneck that is worth most, with its remedy
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (2, 100, 100), (1, 300, 0);
INSERT INTO remedy_tried VALUES (1, 'balance', NULL, 300, 3, 1);
-- rows:
-- run_ns|interval_ns|worth_ns|cause|call|where|waited_in|waited_at|remedy_kind|remedy_value|remedy_gain_ns|late_rank|late_ranks|in_turns_pct|withheld|ahead
-- 10000|100|300|late_sender|MPI_Recv|unknown|-|-|balance|-|300|-|-|-|0|0

-- case: ranks lacked a CPU: what the run would be without these waits, and no remedy
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1), (0, 'cpu_wait_ns', 2000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (1, 300, 200);
INSERT INTO remedy_tried VALUES (1, 'balance', NULL, 300, 3, 1);
-- rows: values
-- 10000|100|200|late_sender|MPI_Recv|unknown|-|-|-|-|-|-|-|-|1|1
