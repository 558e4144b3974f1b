-- SPDX-License-Identifier: BSD-3-Clause
-- case: an offset of a module that both ran is the same site; time in parts is by its name
-- Module ab12 is in both runs, cd34 in one alone: its site is found by another way, or not at all.
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f', 'f', 'x', NULL), (1, 0, 7, 'ab12', 16, 'f', 'f', 'x', NULL),
	(0, 0, 2, 'cd34', 9, 'g a.c:2', 'g', 'a.c', 2), (0, 0, -1, NULL, NULL, '02', NULL, NULL, NULL);
-- ask: SELECT side, callsite, CASE WHEN id GLOB 'e*' THEN 'paired' ELSE id END AS id FROM site ORDER BY side, callsite
-- rows:
-- side|callsite|id
-- 0|-1|02
-- 0|1|ab12+16
-- 0|2|paired
-- 1|7|ab12+16

-- case: a function without lines that has several offsets shows them
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f', 'f', 'x', NULL), (0, 0, 2, 'ab12', 32, 'f', 'f', 'x', NULL),
	(0, 0, 3, 'ab12', 48, 'g', 'g', 'x', NULL), (1, 0, 1, 'ab12', 16, 'f', 'f', 'x', NULL);
-- ask: SELECT side, callsite, place FROM site ORDER BY side, callsite
-- rows:
-- side|callsite|place
-- 0|1|f (+0x10)
-- 0|2|f (+0x20)
-- 0|3|g
-- 1|1|f (+0x10)
