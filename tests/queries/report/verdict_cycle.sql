-- SPDX-License-Identifier: BSD-3-Clause
-- case: the ranks that wait for each other, in their order
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('hangs');
INSERT INTO cycle (nth, rank, call, peer, tag) VALUES (2, 1, 'MPI_Recv', 0, 5), (1, 0, 'MPI_Recv', 1, 5);
-- rows:
-- nth|rank|call|awaited|kind|peer|tag|seq|comm_name|comm_number|missing|steps|others|sends_alone
-- 1|0|MPI_Recv|-|-|1|5|-|-|-|-|-|-|0
-- 2|1|MPI_Recv|-|-|0|5|-|-|-|-|-|-|0

-- case: a job that may go on has no cycle
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('waits');
INSERT INTO cycle (nth, rank, call, peer, tag) VALUES (2, 1, 'MPI_Recv', 0, 5), (1, 0, 'MPI_Recv', 1, 5);
-- rows:
-- nth|rank|call|awaited|kind|peer|tag|seq|comm_name|comm_number|missing|steps|others|sends_alone

-- case: ranks that all send to each other
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('hangs');
INSERT INTO cycle (nth, rank, call, kind, peer, tag) VALUES (1, 0, 'MPI_Send', 'send', 1, 5), (2, 1, 'MPI_Send', 'send', 0, 5);
-- rows:
-- nth|rank|call|awaited|kind|peer|tag|seq|comm_name|comm_number|missing|steps|others|sends_alone
-- 1|0|MPI_Send|-|send|1|5|-|-|-|-|-|-|1
-- 2|1|MPI_Send|-|send|0|5|-|-|-|-|-|-|1
