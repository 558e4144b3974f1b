-- SPDX-License-Identifier: BSD-3-Clause
-- case: the innermost frame of each callsite, with its module's build-id, and its file or else its module
-- on: report
INSERT INTO module_row (rank, module, build_id, path) VALUES (0, 1, 'ab12', '/lib/libx.so');
INSERT INTO frame_row (rank, callsite, frame, module, offset, function, file, line)
VALUES (0, 1, 0, 1, 16, 'f (inlined into g)', '/src/a.c', 7), (0, 1, 1, 1, 20, 'main', '/src/a.c', 9),
	(0, 2, 0, 1, 255, NULL, NULL, NULL);
-- rows: values
-- 0|1|ab12|16|f a.c:7|f|a.c|7|-
-- 0|2|ab12|255|libx.so+0xff|-|libx.so|-|-
