-- SPDX-License-Identifier: BSD-3-Clause
-- case: the rank whose activity has at least half of the waits is named
-- Rank 1 computed for 300 of 400 ns, and for 100 rank 2 was in a call.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 4, 32, 4, 400, 8);
INSERT INTO blame_of_row (n, code, rank, callsite)
VALUES (1, pack('bottleneck_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, of1)
VALUES (1, 1, 5, 6, 300 * 256, 300 * 256), (2, 0, 5, 6, 100 * 256, 100 * 256);
-- ask: SELECT late_rank, late_rank_pct, late_doing, computing_pct, late_ranks, through_rank FROM bottleneck
-- rows:
-- late_rank|late_rank_pct|late_doing|computing_pct|late_ranks|through_rank
-- 1|75|computation|75|-|-

-- case: an activity of several ranks, where none has half of it
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 4, 32, 4, 400, 8);
INSERT INTO blame_of_row (n, code, rank, callsite)
VALUES (1, pack('bottleneck_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, of1)
VALUES (1, 1, 5, 6, 120 * 256, 120 * 256), (2, 1, 5, 6, 140 * 256, 140 * 256), (3, 1, 5, 6, 140 * 256, 140 * 256);
-- ask: SELECT late_rank, late_rank_pct, late_doing, computing_pct, late_ranks FROM bottleneck
-- rows:
-- late_rank|late_rank_pct|late_doing|computing_pct|late_ranks
-- -|100|computation|100|1-3

-- case: none is named where those who are late wait as much for others
-- Ranks 0 and 1 have a half each, of the lateness and of the waits.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 4, 32, 4, 400, 8),
	(1, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 4, 4, 32, 4, 400, 8);
INSERT INTO blame_of_row (n, code, rank, callsite)
VALUES (1, pack('bottleneck_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, of1)
VALUES (0, 1, 5, 6, 400 * 256, 400 * 256), (1, 1, 7, 8, 400 * 256, 400 * 256);
-- ask: SELECT late_rank, in_turns_pct FROM bottleneck
-- rows:
-- late_rank|in_turns_pct
-- -|100

-- case: the rank that the others waited for and that waited itself
-- All of rank 0's waits are for rank 1, which is not to blame: rank 2 is.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 4, 32, 4, 400, 8);
INSERT INTO blame_of_row (n, code, rank, callsite)
VALUES (1, pack('bottleneck_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct, of1)
VALUES (2, 1, 5, 6, 400 * 256, 400 * 256);
-- ask: SELECT late_rank, through_rank, through_pct FROM bottleneck
-- rows:
-- late_rank|through_rank|through_pct
-- 2|1|100
