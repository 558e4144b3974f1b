-- SPDX-License-Identifier: BSD-3-Clause
-- case: work is to be balanced where a rank that is late computes
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 4, 32, 4, 400, 8);
INSERT INTO blame_of_row (n, code, rank, callsite)
VALUES (1, pack('bottleneck_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, of1)
VALUES (1, 1, 5, 6, 300 * 256, 300 * 256), (2, 0, 5, 6, 100 * 256, 100 * 256);
-- ask: SELECT cause, advice FROM bottleneck
-- rows:
-- cause|advice
-- late_sender|balance
