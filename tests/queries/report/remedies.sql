-- SPDX-License-Identifier: BSD-3-Clause
-- case: the best first, with those that do not help
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO remedy_tried VALUES (2, 'raise_S', 5000, 40, 0, 0), (2, 'post_early', NULL, 460, 1, 1);
-- rows:
-- where|call|protocol|cause|remedy|value|gain_ns|run_pct|helps
-- unknown|MPI_Send|rendezvous|late_receiver|post_early|-|460|4.6|yes
-- unknown|MPI_Send|rendezvous|late_receiver|raise_S|5000|40|0.4|no

-- case: if ranks lacked a CPU, no remedy is said to help
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1), (0, 'cpu_wait_ns', 2001);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
-- then:
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO remedy_tried VALUES (2, 'raise_S', 5000, 40, 0, 0), (2, 'post_early', NULL, 460, 1, 1);
-- rows: values
-- unknown|MPI_Send|rendezvous|late_receiver|post_early|-|460|4.6|withheld
-- unknown|MPI_Send|rendezvous|late_receiver|raise_S|5000|40|0.4|no
