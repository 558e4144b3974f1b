-- SPDX-License-Identifier: BSD-3-Clause
-- case: callsites of all ranks with equal names are one place, numbered in the order of names
INSERT INTO module_row (rank, module, path) VALUES (0, 1, '/lib/libx.so');
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'f (inlined into g)', '/src/a.c', 7), (1, 1, 0, NULL, 20, 'f', '/src/a.c', 7),
	(0, 2, 0, 1, 255, NULL, NULL, NULL), (0, 3, 0, NULL, NULL, NULL, NULL, NULL), (0, 2, 1, 1, 300, 'main', 'a.c', 9);
INSERT INTO site_row (rank, callsite, first_rank, first_callsite) VALUES (2, 5, 0, 1);
-- ask: SELECT rank, callsite, place, text, file, line FROM export_site ORDER BY rank, callsite
-- rows:
-- rank|callsite|place|text|file|line
-- 0|1|1|f a.c:7|/src/a.c|7
-- 0|2|2|libx.so+0xff|-|-
-- 0|3|3|unknown|-|-
-- 1|1|1|f a.c:7|/src/a.c|7
-- 2|5|1|f a.c:7|/src/a.c|7
