-- SPDX-License-Identifier: BSD-3-Clause
-- case: longest waits first; S is tried where it is known and the messages are above it
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
-- then:
UPDATE bottleneck SET S = 4096 WHERE cause = 'late_receiver';
UPDATE bottleneck SET computing_pct = 60 WHERE cause = 'late_sender';
-- rows:
-- rowid|id|sends|S_to|moves_alone|computes|lost_ns|has_place|sleeps|unknown
-- 2|2|1|5000|0|0|900|0|0|0
-- 1|1|0|0|0|1|500|0|0|0
-- case: a late rank sleeps between the places
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
-- then:
INSERT INTO activity (activity, doing, place, after) VALUES (77, 'computation', 'f a.c:1', 'g a.c:2'), (78, 'computation', 'f a.c:3', NULL);
INSERT INTO sampled VALUES (1, -1, 'f a.c:1', 'g a.c:2', NULL, NULL, NULL, NULL, 1), (1, -1, 'f a.c:3', '', NULL, NULL, NULL, 9, 0);
UPDATE bottleneck SET late_rank = 1, late_activity = iif(cause = 'late_receiver', 77, 78);
-- rows:
-- rowid|id|sends|S_to|moves_alone|computes|lost_ns|has_place|sleeps|unknown
-- 2|2|1|0|0|0|900|1|1|0
-- 1|1|0|0|0|0|500|1|0|0

-- case: a tenth of the time is enough
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
-- then:
INSERT INTO activity (activity, doing, place, after) VALUES (77, 'computation', 'f a.c:1', 'g a.c:2'), (78, 'computation', 'f a.c:3', NULL);
INSERT INTO sampled VALUES (1, -1, 'f a.c:1', 'g a.c:2', NULL, NULL, NULL, NULL, 1), (1, -1, 'f a.c:3', '', NULL, NULL, NULL, 10, 0);
UPDATE bottleneck SET late_rank = 1, late_activity = iif(cause = 'late_receiver', 77, 78);
-- rows:
-- rowid|id|sends|S_to|moves_alone|computes|lost_ns|has_place|sleeps|unknown
-- 2|2|1|0|0|0|900|1|1|0
-- 1|1|0|0|0|0|500|1|1|0

-- case: ranks lacked a CPU for more than a tenth of their time
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1), (0, 'cpu_wait_ns', 2000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000);
-- then:
INSERT INTO bottleneck (kind, protocol, cause, wait_ns) VALUES ('recv', 'eager', 'no_cpu', 500);
-- rows: values
-- 1|2|1|0|0|0|900|0|0|0
-- 2|10|0|0|0|0|500|0|0|1
