-- SPDX-License-Identifier: BSD-3-Clause
-- case: up to the last row of a table that was cut; of the earliest, if several were; of all, if rows were lost
-- Rank 0 has all rows. Rank 1 lacks ops: its pending one is no last row. Rank 2 lacks ops and collectives. Rank 3 lost
-- bytes. Rank 4 lacks collectives, and has none.
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000), (3, 'end_ns', 1000), (4, 'end_ns', 1000),
	(0, 'dropped_ops', 0), (1, 'dropped_ops', 7), (2, 'dropped_ops', 7), (2, 'dropped_collective', 1), (3, 'lost_bytes', 5),
	(4, 'dropped_collective', 2);
INSERT INTO op_row (id, code, post, span, bytes, comm, callsite, done)
SELECT first_id(rank) + n, pack('op_code', 'call=MPI_Isend kind=send'), 100 * n, 10, 8, 1, 1, iif(n = 3, 0, NULL)
FROM (SELECT DISTINCT rank FROM run), (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3);
INSERT INTO coll_row (id, code, seq, comm, post, span, callsite)
SELECT first_id(rank) + 1, pack('coll_code', 'call=MPI_Barrier'), 1, 1, 50 * rank, 5, 1 FROM (SELECT DISTINCT rank FROM run)
WHERE rank < 4;
UPDATE coll_row SET post = 400 WHERE rank_of(id) = 3;
-- rows:
-- rank|recorded_ns
-- 1|210
-- 2|105
-- 3|405
-- 4|0
