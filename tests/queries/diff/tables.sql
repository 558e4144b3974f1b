-- SPDX-License-Identifier: BSD-3-Clause
-- case: a change is what either run has, and its share is of the first
-- on: two runs
INSERT INTO row (what, id, place, call, cause, a_ns, b_ns)
VALUES ('wait', 'x', 'main a.c:1', 'MPI_Recv', 'late_sender', 200, 250), ('wait', 'y', 'main a.c:2', 'MPI_Recv', 'late_sender', 0, 30),
	('wait', 'z', 'main a.c:3', 'MPI_Recv', 'late_sender', 0, 0);
-- ask: SELECT id, change_ns, change_pct FROM change
-- rows:
-- id|change_ns|change_pct
-- x|50|25
-- y|30|-
