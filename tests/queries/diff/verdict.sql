-- SPDX-License-Identifier: BSD-3-Clause
-- case: how much waiting changed, and by how much of it nobody can tell
-- Time in MPI, and that of ranks, is not waiting.
-- on: two runs
INSERT INTO run (side, name, ranks, unpredicted_ns) VALUES (0, 'a', 2, 5), (1, 'b', 2, 7);
INSERT INTO held VALUES (0, 0, 10), (0, 1, 20), (1, 0, 40);
INSERT INTO row (what, a_ns, b_ns, verdict) VALUES ('wait', 100, 300, 'more'), ('wait', 0, 50, 'more, only in B'), ('wait', 80, 20, 'less'),
	('wait', 10, 14, 'noise'), ('wait', 60, 0, 'few, only in A'), ('wait', 1, 2, NULL), ('call', 9000, 1, 'less');
-- rows:
-- a_wait_ns|b_wait_ns|change_ns|more|less|a_not_predicted_ns|b_not_predicted_ns|a_no_processor_ns|b_no_processor_ns|few|few_ns
-- 251|386|135|2|1|5|7|30|40|1|60
