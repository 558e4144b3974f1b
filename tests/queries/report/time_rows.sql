-- SPDX-License-Identifier: BSD-3-Clause
-- case: each part has its sum, its share of the run, and the lowest ranks that have least and most of it
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000);
INSERT INTO call_cell
SELECT column1, 0, id, 1, 1, 0, column2, column2, 0, 0
FROM (VALUES (0, 200), (1, 500), (2, 200)) JOIN call_name ON name = 'MPI_Recv';
-- ask: SELECT part, nth, name, plain, all_ranks_ns, share_pct, least_ns, least_on, most_ns, most_on FROM time_row
-- ask: WHERE nth < 3 ORDER BY nth
-- rows:
-- part|nth|name|plain|all_ranks_ns|share_pct|least_ns|least_on|most_ns|most_on
-- run|1|run|run|3000|100|1000|0|1000|0
-- mpi|2|in MPI|in MPI|900|30|200|0|500|1
