-- SPDX-License-Identifier: BSD-3-Clause
-- case: the first three places at which ranks called MPI_Abort, and how many more there are
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('hung');
INSERT INTO site VALUES (0, 1, 'a'), (1, 1, 'b'), (2, 1, 'a'), (3, 1, 'c'), (4, 1, 'd'), (5, 1, 'e');
INSERT INTO at_end (rank, calls, call, callsite)
VALUES (0, 1, 'MPI_Abort', 1), (1, 1, 'MPI_Abort', 1), (2, 1, 'MPI_Abort', 1), (3, 1, 'MPI_Abort', 1), (4, 1, 'MPI_Abort', 1),
	(5, 1, 'MPI_Recv', 1);
-- rows:
-- ranks|nranks|place|more
-- 0,2|2|a|-
-- 1|1|b|-
-- 3|1|c|1

-- case: a job that did not hang was ended by nobody
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('hangs');
INSERT INTO at_end (rank, calls, call) VALUES (0, 1, 'MPI_Abort');
-- rows:
-- ranks|nranks|place|more
