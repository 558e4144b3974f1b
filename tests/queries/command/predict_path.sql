-- SPDX-License-Identifier: BSD-3-Clause
-- case: callsites of one line are one row over ranks, what takes longest comes first
-- on: schema
-- top: 2
CREATE TEMP TABLE scenario_path (rank, callsite, what, path_before_ns, path_after_ns);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', '/src/halo.c', 7), (1, 4, 0, 'main', '/src/halo.c', 7), (0, 2, 0, 'main', '/src/halo.c', 9);
INSERT INTO scenario_path VALUES (0, 1, 'call', 100, 40), (1, 4, 'call', 50, 10),
	(0, 2, 'computation', 0, 300), (0, 2, 'call', 1, 1);
-- rows:
-- where|function|what|path_before_ns|path_after_ns|change_ns
-- halo.c:9|main|computation|0|300|300
-- halo.c:7|main|call|150|50|-100
