-- SPDX-License-Identifier: BSD-3-Clause
-- case: beside waits of 360 ns, calls were 60 ns shorter
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, other_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 4, 3, 360, -60);
-- rows:
-- shorter_ns
-- 60

-- case: next to nothing
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, other_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager own_protocol=eager cause=late_sender'), 1, 4, 3, 360, -3);
-- rows: values
