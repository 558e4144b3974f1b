-- SPDX-License-Identifier: BSD-3-Clause
-- case: a place once, with the file and line of its innermost frame, in the order of files and lines
-- on: report
INSERT INTO module_row (rank, module, path) VALUES (0, 1, 'a.out'), (1, 1, 'a.out');
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 5, 'f', '/src/b.c', 9), (0, 1, 1, 1, 6, 'main', '/src/a.c', 2), (1, 4, 0, 1, 5, 'f', '/src/b.c', 9),
	(0, 2, 0, 1, 7, 'g', '/src/a.c', 3), (0, 3, 0, 1, 8, 'h', NULL, NULL);
-- bind: 10
-- rows: values
-- g a.c:3|/src/a.c|3
-- f b.c:9|/src/b.c|9
