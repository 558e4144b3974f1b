-- SPDX-License-Identifier: BSD-3-Clause
-- case: time below the prediction is no row
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, other_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 4, 3, 360, -60);
-- rows: values
-- eager|late_sender|3|360|100|120|send earlier

-- case: shares of all rows are 100 % together, also where a cause is below 0 with one protocol
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, other_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 1, 1, 70, 40),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=rendezvous own_protocol=rendezvous cause=late_sender'), 1, 1, 1, 90, -40);
-- rows:
-- protocol|cause|count|wait_ns|share_pct|mean_ns|what_helps
-- rendezvous|late_sender|1|90|45|90|send earlier
-- eager|late_sender|1|70|35|70|send earlier
-- eager|unexplained|-|40|20|-|-
