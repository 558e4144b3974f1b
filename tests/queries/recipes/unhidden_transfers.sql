-- SPDX-License-Identifier: BSD-3-Clause
-- case: transfers that stood still, by the line that posted
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 1, 0, 1, 16, 'give', 'a.c', 7), (1, 2, 0, 1, 32, 'take', 'a.c', 9);
INSERT INTO new_unhidden_cell (rank, callsite, code, done, peer, bytes_log2, count, unhidden_ns, max_bytes)
VALUES (1, 1, pack('message_code', 'call=MPI_Irecv kind=recv protocol=rendezvous'), pack('done', 'call=MPI_Wait callsite=2'), 0, 20, 3, 400, 1000000);
-- rows:
-- function|file|line|call|kind|count|max_bytes|unhidden_ns
-- give|a.c|7|MPI_Irecv|recv|3|1000000|400
