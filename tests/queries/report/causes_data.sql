-- SPDX-License-Identifier: BSD-3-Clause
-- case: time below the prediction is no row
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, other_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 4, 3, 360, -60);
-- rows: values
-- eager|late_sender|3|360|100|120|send earlier
