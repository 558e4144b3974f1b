-- SPDX-License-Identifier: BSD-3-Clause
-- case: an op with a row moves to the protocol that both sides give, and ops without rows stay
-- Two of five receives were of rendezvous: of their 280 ns, 50 are predicted, and move with them.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns, predicted_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 4, 5, 50, 500, 100),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 4, 2, 20, 60, 90),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager proc_null'), -1, 4, 9, 90, 900, 900);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, bytes, waits, blocked_ns, live_blocked_ns, excess_ns, late_ns,
	other_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=rendezvous own_protocol=eager cause=late_sender'), 1,
		2, 20, 2, 280, 300, 230, 200, 30),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=eager own_protocol=eager cause=unexplained'), 1,
		2, 20, 1, 60, 60, -30, 0, -30);
-- ask: SELECT kind, protocol, count, bytes, blocked_ns, predicted_ns, wait_ns, share_pct FROM protocol_row ORDER BY 1, 2
-- rows:
-- kind|protocol|count|bytes|blocked_ns|predicted_ns|wait_ns|share_pct
-- recv|eager|3|30|200|50|0|0
-- recv|rendezvous|2|20|280|50|230|100
-- send|eager|2|20|60|90|-30|-13.0435
