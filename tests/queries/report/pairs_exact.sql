-- SPDX-License-Identifier: BSD-3-Clause
-- case: pairs are ranked by their waits over all causes, and none is below zero
-- Rank 0 waited 600 ns for 2 and 400 for 1. What rank 1 received took 50 ns less than predicted.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, progress_ns, other_ns, max_lateness_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 4, 4, 300, 0, 0, 90),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_progress'), 1, 1, 1, 0, 100, 0, 0),
	(0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 2, 1, 1, 600, 0, 0, 600),
	(1, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=rendezvous cause=unexplained'), 0, 1, 1, 0, 0, -50, 0);
-- rows:
-- waiting_rank|as|peer|count|wait_ns|share_pct|longest_late_ns
-- 0|sends to|2|1|600|60|600
-- 0|sends to|1|5|400|40|90

-- case: the first one alone, where no more are asked for
-- top: 1
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, count, waits, late_ns, max_lateness_ns)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 1, 1, 20, 20),
	(0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 2, 1, 1, 30, 30);
-- rows:
-- waiting_rank|as|peer|count|wait_ns|share_pct|longest_late_ns
-- 0|receives from|2|1|30|60|30
