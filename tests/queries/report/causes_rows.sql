-- SPDX-License-Identifier: BSD-3-Clause
-- case: waits by protocol and cause; the mean is of those that were mostly for it
-- 40 of 400 ns of late senders were in a wait that counts as one for the wrong order.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, order_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 4, 3, 360, 0),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=wrong_order'), 1, 4, 1, 40, 100),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=rendezvous own_protocol=eager cause=late_sender'), 1, 4, 1, 300, 0),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager'), 1, 4, 0, 0, 0);
-- ask: SELECT protocol, cause, count, wait_ns, share_pct, mean_ns FROM cause_row ORDER BY wait_ns DESC
-- rows:
-- protocol|cause|count|wait_ns|share_pct|mean_ns
-- eager|late_sender|3|400|50|120
-- rendezvous|late_sender|1|300|37.5|300
-- eager|wrong_order|1|100|12.5|100

-- case: waits without rows are one row, of as many ops as were dropped
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO run VALUES (0, 'dropped_ops', 7);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 9, 30),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=rendezvous'), 1, 9, 20);
-- ask: SELECT protocol, cause, count, wait_ns, share_pct, mean_ns, what_helps FROM cause_row
-- rows:
-- protocol|cause|count|wait_ns|share_pct|mean_ns|what_helps
-- -|not_recorded|7|50|100|-|(live) --max-ops

-- case: advice by numbers of a link that nothing confirmed is none
-- The wait for room rests on a prediction, the one for the sender does not.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO link_param (rank, tier, model, name, value, source) VALUES (0, 'node', 'LogGPS', 'S', 1024, 'unconfirmed');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, flow_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=eager own_protocol=eager cause=flow_control'), 1, 1, 1, 10);
-- ask: SELECT cause, wait_ns, what_helps FROM cause_row
-- rows:
-- cause|wait_ns|what_helps
-- flow_control|10|(unconfirmed)

-- case: a remedy that was replayed stands instead of the one by the cause, where it helps
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1), (0, call('MPI_Recv'), 2, 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous own_protocol=rendezvous cause=late_receiver'), 1, 1, 1, 200),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 1, 1, 100);
-- then:
DROP VIEW cause_row;
INSERT INTO remedy_tried
SELECT bottleneck.rowid, remedy, NULL, 500, effort, helps AND cause = 'late_receiver'
FROM bottleneck, (SELECT 'send_nonblocking' AS remedy, 5 AS effort, 1 AS helps UNION SELECT 'balance', 3, 0);
-- ask: SELECT cause, wait_ns, what_helps FROM cause_row ORDER BY wait_ns DESC
-- rows:
-- cause|wait_ns|what_helps
-- late_receiver|200|MPI_Isend
-- late_sender|100|-

-- case: ranks lacked a CPU: advice is withheld, replayed or not, but not that against this lack
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'cpu_wait_ns', 200);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1), (0, call('MPI_Recv'), 2, 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous own_protocol=rendezvous cause=late_receiver'), 1, 1, 1, 200),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 1, 1, 100);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, other_ns, other_no_cpu_ns)
VALUES (0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=no_cpu'), 1, 1, 1, 50, 50);
-- then:
DROP VIEW cause_row;
INSERT INTO remedy_tried SELECT rowid, 'send_nonblocking', NULL, 500, 5, 1 FROM bottleneck WHERE cause = 'late_receiver';
-- ask: SELECT cause, wait_ns, what_helps FROM cause_row ORDER BY wait_ns DESC
-- rows:
-- cause|wait_ns|what_helps
-- late_receiver|200|-
-- late_sender|100|-
-- no_cpu|50|a CPU for each rank
