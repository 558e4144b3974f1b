-- SPDX-License-Identifier: BSD-3-Clause
-- case: the reason
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 1, 1, 500);
-- then:
INSERT INTO worth_run VALUES (NULL, NULL, 'long');
-- rows: values
-- long

-- case: none
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 1, 1, 500);
-- then:
INSERT INTO worth_run VALUES (1000, 10, NULL);
-- rows: values

-- case: there is no bottleneck whose worth could be unknown
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000);
-- then:
INSERT INTO worth_run VALUES (NULL, NULL, 'cut_short');
-- rows: values
