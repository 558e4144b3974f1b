-- SPDX-License-Identifier: BSD-3-Clause
-- case: a run lasts as long as its longest rank, and its threads are counted
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1200);
INSERT INTO call_cell
SELECT column1, column2, id, 1, 1, 0, 5, 5, 0, 0
FROM (VALUES (0, 0), (0, 1), (1, 0)) JOIN call_name ON name = 'MPI_Recv';
-- rows:
-- elapsed_ns|ranks|threads
-- 1200|2|3

-- case: a rank that called nothing has one thread
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- rows:
-- elapsed_ns|ranks|threads
-- 1000|1|1

-- case: of a run without ranks nothing is said
-- rows:
-- elapsed_ns|ranks|threads
