-- SPDX-License-Identifier: BSD-3-Clause
-- case: for whom the others wait, and its activity in the run in which that is more
-- on: two runs
INSERT INTO blame VALUES (0, 1, 100, 'computing'), (1, 1, 400, 'in MPI_Send'), (0, 2, 50, 'computing'), (1, 3, 400, 'polling');
-- top: 2
-- rows:
-- rank|a_ns|b_ns|change_ns|mostly
-- 3|0|400|400|polling
-- 1|100|400|300|in MPI_Send
