-- SPDX-License-Identifier: BSD-3-Clause
-- case: messages whose receive was there early take twice the time until it was done
-- Eight receives begin 40 ns before their send, and end 50 ns after it.
INSERT INTO comm_row (rank, comm, uid, size) VALUES (0, 1, 4711, 2), (1, 1, 4711, 2);
WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 8)
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite)
SELECT first_id(0) + n, pack('op_code', 'call=MPI_Send kind=send'), 1000 * n, 5, 8, 1, 3, 1, 1 FROM k
UNION ALL SELECT first_id(1) + n, pack('op_code', 'call=MPI_Recv kind=recv'), 1000 * n - 40, 90, 8, 0, 3, 1, 1 FROM k;
-- rows: values
-- 0|1|message|8|100|1
-- 0|1|message|8|100|2
-- 0|1|message|8|100|3
-- 0|1|message|8|100|4
-- 0|1|message|8|100|5
-- 0|1|message|8|100|6
-- 0|1|message|8|100|7
-- 0|1|message|8|100|8

-- case: receives that begin after their send tell nothing
INSERT INTO comm_row (rank, comm, uid, size) VALUES (0, 1, 4711, 2), (1, 1, 4711, 2);
WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 8)
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite)
SELECT first_id(0) + n, pack('op_code', 'call=MPI_Send kind=send'), 1000 * n, 5, 8, 1, 3, 1, 1 FROM k
UNION ALL SELECT first_id(1) + n, pack('op_code', 'call=MPI_Recv kind=recv'), 1000 * n - -10, 40, 8, 0, 3, 1, 1 FROM k;
-- rows: values

-- case: of both ways, half the difference is between the clocks
-- 70 ns one way and 30 ns the other: the second clock is 20 ns ahead.
INSERT INTO comm_row (rank, comm, uid, size) VALUES (0, 1, 4711, 2), (1, 1, 4711, 2);
WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 8)
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite)
SELECT first_id(0) + n, pack('op_code', 'call=MPI_Send kind=send'), 1000 * n, 5, 8, 1, 3, 1, 1 FROM k
UNION ALL SELECT first_id(1) + n, pack('op_code', 'call=MPI_Recv kind=recv'), 1000 * n - 40, 110, 8, 0, 3, 1, 1 FROM k
UNION ALL SELECT first_id(1) + 10 + n, pack('op_code', 'call=MPI_Send kind=send'), 1000 * n + 500, 5, 8, 0, 4, 1, 1 FROM k
UNION ALL SELECT first_id(0) + 10 + n, pack('op_code', 'call=MPI_Recv kind=recv'), 1000 * n + 460, 70, 8, 1, 4, 1, 1 FROM k;
-- rows: values
-- 0|1|message|8|100|1
-- 0|1|message|8|100|2
-- 0|1|message|8|100|3
-- 0|1|message|8|100|4
-- 0|1|message|8|100|5
-- 0|1|message|8|100|6
-- 0|1|message|8|100|7
-- 0|1|message|8|100|8
-- 1|0|message|8|100|1
-- 1|0|message|8|100|2
-- 1|0|message|8|100|3
-- 1|0|message|8|100|4
-- 1|0|message|8|100|5
-- 1|0|message|8|100|6
-- 1|0|message|8|100|7
-- 1|0|message|8|100|8
