-- SPDX-License-Identifier: BSD-3-Clause
-- case: a place is a line of a function, or an offset and the first caller with a name
-- Callsite 1 is inlined, 2 has no name but its third frame has one, 3 has no module. Rank 1 has the first stack as well.
INSERT INTO module_row (rank, module, path) VALUES (0, 1, '/lib/libx.so');
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'f (inlined into g)', '/src/a.c', 7), (0, 1, 1, 1, 20, 'main', '/src/a.c', 9),
	(0, 2, 0, 1, 255, NULL, NULL, NULL), (0, 2, 1, 1, 300, '__libc_start_main', NULL, NULL),
	(0, 2, 2, 1, 301, 'main', 'a.c', 9), (0, 3, 0, NULL, NULL, NULL, NULL, NULL),
	(0, 4, 0, 1, 17, 'h', NULL, NULL);
INSERT INTO site_row (rank, callsite, first_rank, first_callsite) VALUES (1, 5, 0, 1);
-- ask: SELECT rank, callsite, place FROM site ORDER BY rank, callsite
-- rows:
-- rank|callsite|place
-- 0|1|f a.c:7
-- 0|2|libx.so+0xff < main
-- 0|3|unknown
-- 0|4|h
-- 1|5|f a.c:7
