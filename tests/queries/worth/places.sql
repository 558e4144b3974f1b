-- SPDX-License-Identifier: BSD-3-Clause
-- case: the late ranks compute behind the call in line 2, until that in line 1
-- bind: 1
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 13, 2, 10000, 2, 900, 5000),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 1, 8, 1, 500, 8);
INSERT INTO frame_row (rank, callsite, frame, function, file, line) VALUES (0, 1, 0, 'f', 'a.c', 1), (0, 2, 0, 'g', 'a.c', 2);
-- then:
INSERT INTO activity (activity, doing, place, after) VALUES (77, 'computation', 'f a.c:1', 'g a.c:2');
UPDATE bottleneck SET late_activity = 77;
INSERT INTO sampled VALUES (0, -1, 'f a.c:1', 'g a.c:2', NULL, NULL, NULL, 60, 1);
-- rows:
-- rank|callsite|mark|asleep
-- 0|1|2|0.6
-- 0|2|1|-
