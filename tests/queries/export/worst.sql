-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks by their waits in messages and collectives; the lower rank first where they are equal
-- Rank 0 waited 50 ns as a sender, rank 1 70 ns as a receiver, rank 2 60 ns in a collective. Ranks 3 and 4 did not wait.
CREATE TEMP TABLE exact_wait (op INTEGER PRIMARY KEY, wait INTEGER);
CREATE TEMP TABLE exact_coll_wait (rank INTEGER, wait INTEGER);
INSERT INTO run (rank, key, value) VALUES (0, 'host', 'a'), (1, 'host', 'a'), (2, 'host', 'a'), (3, 'host', 'a'), (4, 'host', 'a');
INSERT INTO op_row (id, code, post, span, bytes, comm, callsite)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Send kind=send'), 100, 90, 8, 1, 1),
	(first_id(1) + 1, pack('op_code', 'call=MPI_Recv kind=recv'), 100, 90, 8, 1, 1);
INSERT INTO exact_wait VALUES (first_id(0) + 1, 50), (first_id(1) + 1, 70);
INSERT INTO exact_coll_wait VALUES (2, 40), (2, 20);
-- bind: 4
-- rows: values
-- 1
-- 2
-- 0
-- 3
