-- SPDX-License-Identifier: BSD-3-Clause
-- case: the message with the longest wait and what was pending stay, the rest is counted
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT);
INSERT INTO input VALUES (0, 'run/rank-000000.db'), (1, NULL);
CREATE TEMP TABLE keep AS SELECT 1 AS n;
INSERT INTO run (rank, key, value) VALUES (1, 'ops_left_out', 5);
INSERT INTO op_row (id, code, post, span, bytes, comm, callsite)
SELECT first_id(rank) + n, pack('op_code', 'call=MPI_Send kind=send'), 100, 90, 8, 1, 1
FROM (SELECT 0 AS rank UNION SELECT 1), (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3);
INSERT INTO pending_op_row (id) VALUES (first_id(1) + 3);
INSERT INTO match_row (id, send, recv, late, progress, wrong_order, flow, contention)
VALUES (1, first_id(0) + 1, first_id(1) + 1, 10, 0, 0, 0, 0), (2, first_id(0) + 2, first_id(1) + 2, 10, 0, 1, 0, 0);
INSERT INTO coll_row (id, post, callsite, comm) VALUES (first_id(0) + 1, 5, 1, 1);
-- ask: SELECT group_concat(rank_of(id) || '.' || (id - first_id(rank_of(id)))) AS rows FROM op_row
-- ask: UNION ALL SELECT group_concat(rank || ' ' || value) FROM run WHERE key = 'ops_left_out'
-- ask: UNION ALL SELECT group_concat(id) FROM match_row UNION ALL SELECT count(*) FROM coll_row
-- ask: UNION ALL SELECT group_concat('<' || file || '>') FROM input
-- rows:
-- rows
-- 0.1,0.2,1.1,1.2,1.3
-- 0 1,1 5
-- 2
-- 1
-- <>

-- case: with no message each rank's first row stays, its last collective, and the sums of times without a CPU
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT);
CREATE TEMP TABLE keep AS SELECT 0 AS n;
INSERT INTO op_row (id, code, post, span, bytes, comm, callsite)
SELECT first_id(rank) + n, pack('op_code', 'call=MPI_Send kind=send'), 100, 90, 8, 1, 1
FROM (SELECT 0 AS rank UNION SELECT 1), (SELECT 1 AS n UNION SELECT 2);
INSERT INTO match_row (id, send, recv, late, progress, wrong_order, flow, contention)
VALUES (1, first_id(0) + 1, first_id(1) + 1, 10, 0, 0, 0, 0);
INSERT INTO coll_row (id, seq, post, callsite, comm, done)
VALUES (first_id(0) + 1, 1, 5, 1, 1, NULL), (first_id(0) + 2, 2, 5, 1, 1, NULL), (first_id(0) + 3, 1, 5, 1, 2, NULL),
	(first_id(0) + 4, 3, 5, 1, 1, 9);
INSERT INTO off_cpu_row (id, enter, span, thread, what, callsite, after)
SELECT first_id(0) + n, n, 10 * n, 0, id, 3, 4
FROM (SELECT 1 AS n UNION SELECT 2), off_cpu_name WHERE name = 'preempted';
INSERT INTO off_cpu_cell (rank, thread, what, callsite, after, count, ns, max_ns)
SELECT 0, 0, id, 3, 4, 5, 100, 15 FROM off_cpu_name WHERE name = 'preempted';
-- ask: SELECT group_concat(rank_of(id) || '.' || (id - first_id(rank_of(id)))) AS rows FROM op_row
-- ask: UNION ALL SELECT group_concat(id - first_id(0)) FROM coll_row
-- ask: UNION ALL SELECT count || ' ' || ns || ' ' || max_ns FROM off_cpu_cell
-- rows:
-- rows
-- 0.1,1.1
-- 3,4
-- 7 130 20

-- case: one-sided and file operations that blocked longest stay, and what was pending; the others are counted
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT);
CREATE TEMP TABLE keep AS SELECT 1 AS n;
INSERT INTO run (rank, key, value) VALUES (1, 'ops_left_out', 5);
INSERT INTO rma_row (id, enter, span, complete, blocked)
SELECT first_id(rank) + n, n, 10 * n, iif(n = 1, 50, NULL), iif(n = 2, 15 + rank, NULL)
FROM (SELECT 0 AS rank UNION SELECT 1), (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3);
INSERT INTO pending_rma_row (id) VALUES (first_id(1) + 3);
DELETE FROM rma_row WHERE id = first_id(1) + 1;
INSERT INTO io_row (id, enter, span) SELECT first_id(1) + n, n, 10 * n FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3);
INSERT INTO pending_io_row (id) VALUES (first_id(1) + 1);
-- ask: SELECT group_concat(rank_of(id) || '.' || (id - first_id(rank_of(id)))) AS rows FROM rma_row
-- ask: UNION ALL SELECT group_concat(rank_of(id) || '.' || (id - first_id(rank_of(id)))) FROM io_row
-- ask: UNION ALL SELECT group_concat(rank || ' ' || value) FROM run WHERE key = 'ops_left_out'
-- rows:
-- rows
-- 0.1,1.3
-- 1.1,1.3
-- 0 2,1 7

-- case: of a fence all members stay, also the one that came last and did not wait
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT);
CREATE TEMP TABLE keep AS SELECT 1 AS n;
INSERT INTO run (rank, key, value) VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000);
INSERT INTO clock_cell (rank, from_ns, at, offset, change, span) VALUES (1, -1, 0, 0, 0, 1), (2, -1, 0, 0, 0, 1);
INSERT INTO rma_window (rank, window, uid) VALUES (0, 1, 77), (1, 2, 77), (2, 1, 77);
INSERT INTO rma_row (id, call, object, enter, span, seq)
SELECT first_id(rank) + seq, 200, iif(rank = 1, 2, 1), 200 * seq + 10 * rank * seq, 80 + 10 * seq - 10 * rank * seq, seq
FROM (SELECT 0 AS rank UNION SELECT 1 UNION SELECT 2), (SELECT 1 AS seq UNION SELECT 2);
-- ask: SELECT rank, seq, members, wait_ns, late_rank FROM rma_wait ORDER BY 1, 2
-- rows:
-- rank|seq|members|wait_ns|late_rank
-- 0|2|3|40|2
-- 1|2|3|20|2
-- 2|2|3|0|2
