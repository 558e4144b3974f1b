-- SPDX-License-Identifier: BSD-3-Clause
-- case: those that are worth no more than the interval
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO worth VALUES (2, 100, 100), (1, 101, 101);
-- rows:
-- others|lost_ns|bound_ns|run_ns|interval_ns
-- 1|900|100|10000|100

-- case: those that were not replayed are worth no more than their waits
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 50, 8);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
-- rows: values
-- 1|50|50|10000|100

-- case: ranks lacked a CPU: the list has them, but those with less than a hundredth of all waits
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1), (0, 'cpu_wait_ns', 2000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 9000, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 50, 8);
-- then:
INSERT INTO worth_run VALUES (10000, 1000, NULL);
INSERT INTO worth VALUES (1, 10, 10), (2, 10, 10);
-- rows: values
-- 1|50|50|10000|1000
