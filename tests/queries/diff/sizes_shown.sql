-- SPDX-License-Identifier: BSD-3-Clause
-- case: the smallest and the two largest
-- on: scaling
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns, run_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0, 1000), (1, 'b', '/bin/ring', 4, 1, 9, 0, 900),
	(2, 'c', '/bin/ring', 8, 1, 9, 0, 800), (3, 'd', '/bin/ring', 16, 1, 9, 0, 700);
-- bind: 2
-- rows: values
-- 2
-- 8
-- 16
