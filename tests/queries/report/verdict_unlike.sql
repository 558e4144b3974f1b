-- SPDX-License-Identifier: BSD-3-Clause
-- case: the first collective that others call by another name
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('hung');
INSERT INTO unlike (rank, comm, op_id, call, other_call) VALUES (1, 1, 3, 'MPI_Bcast', 'MPI_Reduce'), (2, 1, 3, 'MPI_Bcast', 'MPI_Scan');
-- rows:
-- rank|comm|op_id|call|other_ranks|other_count|other_call|more_calls
-- 1|1|3|MPI_Bcast|-|-|MPI_Reduce|-

-- case: a job that may go on has none
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- then:
DELETE FROM outlook;
INSERT INTO outlook (state) VALUES ('waits');
INSERT INTO unlike (rank, comm, op_id, call, other_call) VALUES (1, 1, 3, 'MPI_Bcast', 'MPI_Reduce');
-- rows:
-- rank|comm|op_id|call|other_ranks|other_count|other_call|more_calls
