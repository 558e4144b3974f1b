-- SPDX-License-Identifier: BSD-3-Clause
-- case: callsites of one line are one row over ranks, the longest waits first
-- on: schema
-- top: 2
CREATE TEMP TABLE scenario_callsite (rank, callsite, cause, wait_before_ns, wait_after_ns);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 1, 0, 'main', '/src/halo.c', 7), (1, 4, 0, 'main', '/src/halo.c', 7), (0, 2, 0, 'main', '/src/halo.c', 9);
INSERT INTO scenario_callsite VALUES (0, 1, 'late_sender', 100, 40), (1, 4, 'late_sender', 50, 10),
	(0, 2, 'late_receiver', 0, 300), (0, 2, 'late_sender', 1, 1);
-- rows:
-- where|function|cause|wait_before_ns|wait_after_ns|change_ns
-- halo.c:9|main|late_receiver|0|300|300
-- halo.c:7|main|late_sender|150|50|-100
