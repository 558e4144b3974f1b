-- SPDX-License-Identifier: BSD-3-Clause
-- case: the better of no waits and the best remedy
-- then:
DROP VIEW worth_told;
DROP VIEW worth_first;
DROP VIEW advice_first;
INSERT INTO worth VALUES (1, 300, 100), (2, 200, 250);
INSERT INTO late_by_chance VALUES (2);
-- ask: SELECT * FROM worth_told
-- rows:
-- bottleneck|worth_ns|without_ns|chance|unsure
-- 1|300|100|0|0
-- 2|200|250|1|0

-- case: ranks lacked a CPU: no remedy counts
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'cpu_wait_ns', 200);
-- then:
DROP VIEW worth_told;
DROP VIEW worth_first;
DROP VIEW advice_first;
INSERT INTO worth VALUES (1, 300, 100), (2, 200, 250);
-- ask: SELECT * FROM worth_told
-- rows: values
-- 1|100|100|0|0
-- 2|200|250|0|0

-- case: ranks lacked a CPU: a worth within the interval is unknown
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'cpu_wait_ns', 200);
-- then:
DROP VIEW worth_told;
DROP VIEW worth_first;
DROP VIEW advice_first;
INSERT INTO worth_run VALUES (1000, 150, NULL);
INSERT INTO worth VALUES (1, 300, 100), (2, 200, 250), (3, NULL, 400);
-- ask: SELECT * FROM worth_told
-- rows: values
-- 1|-|100|0|1
-- 2|200|250|0|0
-- 3|-|400|0|1

-- case: what the verdict tells first
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
DROP VIEW worth_told;
DROP VIEW worth_first;
DROP VIEW advice_first;
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (2, 100, 100), (1, 300, 0);
INSERT INTO remedy_tried VALUES (1, 'balance', NULL, 300, 3, 1);
-- ask: SELECT * FROM advice_first
-- rows:
-- cause|call|where|remedy|value|gain_ns
-- late_sender|MPI_Recv|unknown|balance|-|300

-- case: not a bottleneck in which ranks are late by chance
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
DROP VIEW worth_told;
DROP VIEW worth_first;
DROP VIEW advice_first;
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (2, 200, 200), (1, 300, 0);
INSERT INTO late_by_chance VALUES (1);
-- ask: SELECT cause, call FROM advice_first
-- rows: values
-- late_receiver|MPI_Send

-- case: a pattern that would bring more
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
DROP VIEW worth_told;
DROP VIEW worth_first;
DROP VIEW advice_first;
INSERT INTO pattern (pattern, name, rank, peer, ranks, call, count, mean_bytes, time_ns, share_pct)
VALUES (1, 'small_messages', 0, 1, 2, 'MPI_Send', 5000, 8, 4000, 20);
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (1, 300, 0);
INSERT INTO pattern_gain VALUES (1, 8, 3000, 9000, 0), (1, 64, 3100, 9000, 0);
-- ask: SELECT * FROM advice_first
-- rows: values
-- small_messages|MPI_Send|-|combine|8|3000

-- case: a collective in the place of messages that make one by hand
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
DROP VIEW worth_told;
DROP VIEW worth_first;
DROP VIEW advice_first;
INSERT INTO pattern (pattern, name, rank, ranks, call, place, count, mean_bytes, time_ns, share_pct)
VALUES (1, 'fan_out', 0, 8, 'MPI_Send', 'f a.c:1', 70, 8, 4000, 20);
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO collective_gain VALUES (1, 3000, 2000);
-- ask: SELECT * FROM advice_first
-- rows: values
-- fan_out|MPI_Send|f a.c:1|collective|-|2000
