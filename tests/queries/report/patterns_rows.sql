-- SPDX-License-Identifier: BSD-3-Clause
-- case: many small messages to one peer, with the time of both ends
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 1000, 8000, 500), (1, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), 0, 4, 1000, 8000, 700),
	(0, 3, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 999, 7992, 500), (0, 4, pack('wait_code', 'call=MPI_Send kind=send'), 1, 18, 1000, 66000000, 500);
-- ask: SELECT name, rank, peer, ranks, callsite, call, count, mean_bytes, time_ns, share_pct FROM pattern
-- rows:
-- name|rank|peer|ranks|callsite|call|count|mean_bytes|time_ns|share_pct
-- small_messages|0|1|2|1|MPI_Send|1000|8|1200|6

-- case: what costs next to nothing is none
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 100000), (1, 'end_ns', 100000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 1000, 8000, 500);
-- ask: SELECT count(*) FROM pattern
-- rows: values
-- 0

-- case: one rank serves three others, which wait for it
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run SELECT rank, 'end_ns', 1000 FROM (SELECT 0 AS rank UNION SELECT 1 UNION SELECT 2 UNION SELECT 3);
CREATE TEMP TABLE worker AS SELECT 1 AS rank, 4 AS n UNION SELECT 2, 5 UNION SELECT 3, 6;
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes)
SELECT 0, 1, pack('wait_code', 'call=MPI_Send kind=send'), rank, 4, n, 8 * n FROM worker
UNION ALL SELECT 0, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), rank, 4, n, 8 * n FROM worker
UNION ALL SELECT rank, 1, pack('wait_code', 'call=MPI_Send kind=send'), 0, 4, n, 8 * n FROM worker
UNION ALL SELECT rank, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), 0, 4, n, 8 * n FROM worker;
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
SELECT rank, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 4, n, 8 * n, n, 300, 8
FROM worker;
-- ask: SELECT name, rank, ranks, count, mean_bytes, time_ns, share_pct FROM pattern
-- rows:
-- name|rank|ranks|count|mean_bytes|time_ns|share_pct
-- master|0|4|30|8|900|22.5

-- case: one rank serves two others, and takes messages from any source
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run SELECT rank, 'end_ns', 1000 FROM (SELECT 0 AS rank UNION SELECT 1 UNION SELECT 2);
CREATE TEMP TABLE served AS SELECT 0 AS rank, 1 AS peer UNION SELECT 2, 1 UNION SELECT 1, 0 UNION SELECT 1, 2;
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes)
SELECT rank, 1, pack('wait_code', 'call=MPI_Send kind=send'), peer, 4, 9, 72 FROM served
UNION ALL SELECT rank, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), peer, 4, 9, 72 FROM served;
INSERT INTO op_row (id, code, post, span, peer)
VALUES (first_id(1), pack('op_code', 'call=MPI_Recv kind=recv any_source'), 10, 90, 0),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv any_source'), 110, 90, 2),
	(first_id(1) + 2, pack('op_code', 'call=MPI_Recv kind=recv'), 210, 90, 2),
	(first_id(2), pack('op_code', 'call=MPI_Recv kind=recv'), 210, 90, 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
SELECT rank, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 9, 72, 9, 300, 8
FROM served WHERE rank <> 1;
-- ask: SELECT name, rank, ranks FROM pattern WHERE name = 'master'
-- rows:
-- name|rank|ranks
-- master|1|3

-- case: the middle of three ranks in a line is none
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run SELECT rank, 'end_ns', 1000 FROM (SELECT 0 AS rank UNION SELECT 1 UNION SELECT 2);
CREATE TEMP TABLE neighbour AS SELECT 0 AS rank, 1 AS peer UNION SELECT 2, 1 UNION SELECT 1, 0 UNION SELECT 1, 2;
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes)
SELECT rank, 1, pack('wait_code', 'call=MPI_Send kind=send'), peer, 4, 9, 72 FROM neighbour
UNION ALL SELECT rank, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), peer, 4, 9, 72 FROM neighbour;
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
SELECT rank, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 9, 72, 9, 300, 8
FROM neighbour WHERE rank <> 1;
-- ask: SELECT count(*) FROM pattern WHERE name = 'master'
-- rows: values
-- 0

-- case: a chain of ranks fills: ranks 1 and 2 wait 100 and 250 ns for their first messages
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 9, 72), (1, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), 0, 4, 9, 72),
	(1, 1, pack('wait_code', 'call=MPI_Send kind=send'), 2, 4, 9, 72), (2, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), 1, 4, 9, 72);
INSERT INTO match_row (id, send, recv, late)
VALUES (1, first_id(0), first_id(1), 100), (2, first_id(0) + 1, first_id(1) + 2, 70), (3, first_id(1) + 1, first_id(2), 250);
-- ask: SELECT name, rank, peer, ranks, count, time_ns FROM pattern
-- rows:
-- name|rank|peer|ranks|count|time_ns
-- pipeline|0|2|3|18|350

-- case: a rank sends the same to all three others, who receive it in time that counts
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000), (3, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 11, 2, 2048, 20), (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 2, 11, 2, 2048, 20),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 3, 11, 2, 2048, 20), (1, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), 0, 11, 2, 2048, 100),
	(2, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), 0, 11, 2, 2048, 200), (3, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), 0, 11, 2, 2048, 300);
-- ask: SELECT name, rank, ranks, call, count, mean_bytes, time_ns FROM pattern
-- rows:
-- name|rank|ranks|call|count|mean_bytes|time_ns
-- fan_out|0|4|MPI_Send|6|1024|660

-- case: a rank receives the same from all others
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000), (3, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv'), 1, 11, 2, 2048, 50), (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv'), 2, 11, 2, 2048, 50),
	(0, 1, pack('wait_code', 'call=MPI_Recv kind=recv'), 3, 11, 2, 2048, 50);
-- ask: SELECT name, rank, count, time_ns FROM pattern
-- rows: values
-- fan_in|0|6|150

-- case: all send to all others, or to the next one as often as a ring has steps
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000), (3, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
SELECT a.column1, 1, pack('wait_code', 'call=MPI_Send kind=send'), b.column1, 11, 2, 2048, 50
FROM (VALUES (0), (1), (2), (3)) a, (VALUES (0), (1), (2), (3)) b
WHERE a.column1 <> b.column1;
-- ask: SELECT name, ranks, count, mean_bytes, time_ns FROM pattern
-- rows: values
-- all_to_all|4|24|1024|600

-- case: a ring
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
SELECT column1, 1, pack('wait_code', 'call=MPI_Send kind=send'), (column1 + 1) % 3, 11, 2, 2048, 50
FROM (VALUES (0), (1), (2))
UNION ALL SELECT column1, 2, pack('wait_code', 'call=MPI_Recv kind=recv'), (column1 + 2) % 3, 11, 2, 2048, 70
FROM (VALUES (0), (1), (2));
-- ask: SELECT name, ranks, count, mean_bytes, time_ns FROM pattern
-- rows: values
-- ring|3|6|1024|360

-- case: a halo, which sends both ways, is none
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000), (3, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
SELECT a.column1, 1, pack('wait_code', 'call=MPI_Send kind=send'), (a.column1 + b.column1) % 4, 11, 3, 3072, 50
FROM (VALUES (0), (1), (2), (3)) a, (VALUES (1), (3)) b;
-- ask: SELECT count(*) FROM pattern
-- rows: values
-- 0

-- case: one rank has most of the blame, or ranks are late in turns
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (1, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 4, 4, 32, 4, 400, 8);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct) VALUES (0, 1, 1, 0, 102400);
-- ask: SELECT name, rank, time_ns, share_pct FROM pattern
-- rows: values
-- one_late|0|400|20

-- case: each waits as much as it is waited for
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (1, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 0, 4, 4, 32, 4, 200, 8),
	(0, 2, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 4, 32, 4, 200, 8);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct) VALUES (0, 1, 1, 0, 51200), (1, 1, 1, 0, 51200);
-- ask: SELECT name, rank, time_ns FROM pattern
-- rows: values
-- late_in_turns|-|400

-- case: neighbours that send to each other wait for receivers that send
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line) VALUES (0, 1, 0, 'f', 'a.c', 1), (1, 1, 0, 'f', 'a.c', 1);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 17, 9, 900000), (1, 1, pack('wait_code', 'call=MPI_Send kind=send'), 0, 17, 9, 900000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 17, 9, 900000, 9, 400, 100000);
-- then:
DROP VIEW pattern_best; DROP VIEW pattern_told; DROP VIEW pattern_tried; DROP VIEW pattern_combined; DROP VIEW serialised_row; DROP VIEW ranks_run; DROP TABLE pattern;
DROP TABLE traffic; DROP TABLE fan;
INSERT INTO activity (activity, doing, call) VALUES (77, 'call', 'MPI_Send');
UPDATE bottleneck SET inside_pct = 95, pairs = 2, late_activity = 77;
-- ask: SELECT * FROM serialised_row
-- rows:
-- bottleneck|pairs|call|place|count|wait_ns
-- 1|2|MPI_Send|f a.c:1|9|400

-- case: not if the receivers compute
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line) VALUES (0, 1, 0, 'f', 'a.c', 1), (1, 1, 0, 'f', 'a.c', 1);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 17, 9, 900000), (1, 1, pack('wait_code', 'call=MPI_Send kind=send'), 0, 17, 9, 900000);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Send kind=send protocol=rendezvous cause=late_receiver'), 1, 17, 9, 900000, 9, 400, 100000);
-- then:
DROP VIEW pattern_best; DROP VIEW pattern_told; DROP VIEW pattern_tried; DROP VIEW pattern_combined; DROP VIEW serialised_row; DROP VIEW ranks_run; DROP TABLE pattern;
DROP TABLE traffic; DROP TABLE fan;
INSERT INTO activity (activity, doing, call) VALUES (77, 'computation', NULL);
UPDATE bottleneck SET inside_pct = 95, pairs = 2, late_activity = 77;
-- ask: SELECT count(*) FROM serialised_row
-- rows: values
-- 0

-- case: small messages that would shorten the run more than any bottleneck; 8 in one bring nearly as much as 64
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 1000, 8000, 500);
-- then:
DROP VIEW pattern_best; DROP VIEW pattern_told; DROP VIEW pattern_tried; DROP VIEW pattern_combined; DROP VIEW serialised_row; DROP VIEW ranks_run; DROP TABLE pattern;
DROP TABLE traffic; DROP TABLE fan;
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 1800, 9000, 0), (1, 64, 2000, 9000, 0);
INSERT INTO worth VALUES (1, 1799, 0);
-- ask: SELECT pattern, rank, peer, by, gain_ns, bare_run_ns FROM pattern_best
-- rows:
-- pattern|rank|peer|by|gain_ns|bare_run_ns
-- small_messages|0|1|8|1800|9000

-- case: 64 in one bring more
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 1000, 8000, 500);
-- then:
DROP VIEW pattern_best; DROP VIEW pattern_told; DROP VIEW pattern_tried; DROP VIEW pattern_combined; DROP VIEW serialised_row; DROP VIEW ranks_run; DROP TABLE pattern;
DROP TABLE traffic; DROP TABLE fan;
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 1700, 9000, 0), (1, 64, 2000, 9000, 0);
-- ask: SELECT by, gain_ns FROM pattern_best
-- rows: values
-- 64|2000

-- case: not if a bottleneck is worth as much, or a remedy for one brings as much
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 1000, 8000, 500);
-- then:
DROP VIEW pattern_best; DROP VIEW pattern_told; DROP VIEW pattern_tried; DROP VIEW pattern_combined; DROP VIEW serialised_row; DROP VIEW ranks_run; DROP TABLE pattern;
DROP TABLE traffic; DROP TABLE fan;
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 1800, 9000, 0), (1, 64, 2000, 9000, 0);
INSERT INTO worth VALUES (1, 900, 0);
INSERT INTO remedy_tried VALUES (1, 'balance', NULL, 1800, 3, 1);
-- ask: SELECT count(*) FROM pattern_best
-- rows: values
-- 0

-- case: but a bottleneck in which ranks are late by chance may be worth more
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 10000), (1, 'end_ns', 10000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, bytes_log2, count, bytes, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Send kind=send'), 1, 4, 1000, 8000, 500);
-- then:
DROP VIEW pattern_best; DROP VIEW pattern_told; DROP VIEW pattern_tried; DROP VIEW pattern_combined; DROP VIEW serialised_row; DROP VIEW ranks_run; DROP TABLE pattern;
DROP TABLE traffic; DROP TABLE fan;
INSERT INTO worth_run VALUES (10000, 100, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 1800, 9000, 0), (1, 64, 2000, 9000, 0);
INSERT INTO worth VALUES (1, 2500, 2500);
INSERT INTO late_by_chance VALUES (1);
-- ask: SELECT by, gain_ns FROM pattern_best
-- rows: values
-- 8|1800

-- case: ranks come to a collective at different times, most of the blame is of rank 0
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct) VALUES (0, 1, 1, 0, 102400);
-- then:
DROP VIEW pattern_best; DROP VIEW pattern_told; DROP VIEW pattern_tried; DROP VIEW pattern_combined; DROP VIEW serialised_row; DROP VIEW ranks_run; DROP TABLE pattern;
DROP TABLE traffic; DROP TABLE fan;
DELETE FROM late_most;
INSERT INTO late_most VALUES (0, 80, 400);
INSERT INTO coll_part
SELECT 1, id, id, 1, 0, -1, -1, 4, iif(name = 'MPI_Barrier', 300, 100), 90 FROM call_name WHERE name IN ('MPI_Barrier', 'MPI_Bcast');
-- ask: SELECT name, rank, ranks, call, count, time_ns, share_pct FROM pattern WHERE name = 'load_imbalance'
-- rows:
-- name|rank|ranks|call|count|time_ns|share_pct
-- load_imbalance|0|2|MPI_Barrier|4|400|20

-- case: none is named if ranks are late in turns, though one of two has at least half
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (1, 'end_ns', 1000), (1, 'clean_finalize', 1);
INSERT INTO collective_wait_row (id, rank, seq, comm, code, wait, late_rank, callsite, start)
VALUES (1, 0, 1, 1, pack('coll_wait_code', 'call=MPI_Barrier state=wait_at_barrier'), 100, 1, 1, 0),
	(2, 1, 2, 1, pack('coll_wait_code', 'call=MPI_Barrier state=wait_at_barrier'), 104, 0, 1, 0);
INSERT INTO new_blame_cell (rank, what, callsite, after, direct) VALUES (0, 1, 1, 0, 104 * 256), (1, 1, 1, 0, 100 * 256);
-- then:
DROP VIEW pattern_best; DROP VIEW pattern_told; DROP VIEW pattern_tried; DROP VIEW pattern_combined; DROP VIEW serialised_row; DROP VIEW ranks_run; DROP TABLE pattern;
DROP TABLE traffic; DROP TABLE fan;
INSERT INTO coll_part SELECT 1, id, id, 1, 0, -1, -1, 2, 204, 90 FROM call_name WHERE name = 'MPI_Barrier';
-- ask: SELECT p.name, p.rank, l.rank AS most, round(l.pct) AS pct FROM pattern p, late_most l ORDER BY 1
-- rows:
-- name|rank|most|pct
-- late_in_turns|-|0|51
-- load_imbalance|-|0|51
