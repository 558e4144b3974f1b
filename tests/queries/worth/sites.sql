-- SPDX-License-Identifier: BSD-3-Clause
-- case: a bottleneck's messages are those of its callsites, kind, protocol and cause
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
INSERT INTO frame_row (rank, callsite, frame, function, file, line) VALUES (0, 1, 0, 'f', 'a.c', 1), (0, 2, 0, 'g', 'a.c', 2);
-- rows: values
-- 1|0|2|0|2|1
-- 2|0|1|1|3|2

-- case: two calls at a place without a line are two bottlenecks, and each has its own callsite
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Ssend kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 1, 5000, 1, 500, 5000);
INSERT INTO frame_row (rank, callsite, frame, function) VALUES (0, 1, 0, 'f'), (0, 2, 0, 'f');
-- rows: values
-- 1|0|1|1|3|2
-- 2|0|2|1|3|2
