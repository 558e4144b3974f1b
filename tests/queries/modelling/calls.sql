-- SPDX-License-Identifier: BSD-3-Clause
-- case: of at least eight calls of a length, the fastest quarter
-- Eight sends of 8 bytes take 10 to 80 ns. Seven of 16 bytes are too few, and synchronous ones are left out.
WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 8)
INSERT INTO op_row (id, code, post, span, bytes, peer, comm, callsite)
SELECT first_id(0) + n, pack('op_code', 'call=MPI_Send kind=send'), 100 * n, 90 - 10 * n, 8, 1, 1, 1 FROM k
UNION ALL SELECT first_id(0) + 10 + n, pack('op_code', 'call=MPI_Send kind=send'), 100 * n, 1, 16, 1, 1, 1 FROM k WHERE n < 8
UNION ALL SELECT first_id(0) + 20 + n, pack('op_code', 'call=MPI_Ssend kind=send mode=2'), 100 * n, 1, 32, 1, 1, 1 FROM k
UNION ALL SELECT first_id(1) + n, pack('op_code', 'call=MPI_Recv kind=recv'), 100 * n, 90 - 10 * n, 8, 0, 1, 1 FROM k;
-- rows: values
-- 0|1|send|8|10|1
-- 0|1|send|8|20|2
-- 0|1|recv|8|10|1
-- 0|1|recv|8|20|2
