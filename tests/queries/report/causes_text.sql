-- SPDX-License-Identifier: BSD-3-Clause
-- case: time without predictions stands behind all causes, and has no share of them
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, order_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 4, 3, 360, 0),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=wrong_order'), 1, 4, 1, 40, 100),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=rendezvous own_protocol=eager cause=late_sender'), 1, 4, 1, 300, 0),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager'), 1, 4, 0, 0, 0);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 3, 900);
-- rows:
-- protocol|cause|count|wait_ns|share_pct|own_mean_ns|what_helps
-- eager|late_sender|3|400|50|120|send earlier
-- rendezvous|late_sender|1|300|37.5|300|send earlier
-- eager|wrong_order|1|100|12.5|100|work on what came
-- -|not_predicted|3|900|-|-|(at most) --links

-- case: where all is predicted, there is no such row
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, flow_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=eager own_protocol=eager cause=flow_control'), 1, 1, 1, 10);
-- rows:
-- protocol|cause|count|wait_ns|share_pct|own_mean_ns|what_helps
-- eager|flow_control|1|10|100|10|receive earlier

-- case: time below the prediction is no wait
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, other_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 4, 3, 360, -60);
-- rows: values
-- eager|late_sender|3|360|100|120|send earlier
