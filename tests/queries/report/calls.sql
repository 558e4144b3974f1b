-- SPDX-License-Identifier: BSD-3-Clause
-- case: calls that only ask the library are one row, and the start and the end are none
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO frame_row (rank, callsite, frame, function, file, line) VALUES (0, 1, 0, 'main', 'a.c', 1);
INSERT INTO call_cell
SELECT 0, 0, id, column2, column3, 0, column4, column4, 0, 0
FROM (VALUES ('MPI_Send', 1, 2, 100), ('MPI_Comm_rank', 1, 1, 10), ('MPI_Wtime', 2, 3, 30), ('MPI_Init', 1, 1, 400))
JOIN call_name ON name = column1;
-- rows:
-- where|call|count|time_ns|share_pct|mean_ns
-- main a.c:1|MPI_Send|2|100|10|50
-- anywhere|local queries|4|40|4|10
