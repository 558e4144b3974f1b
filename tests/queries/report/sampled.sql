-- SPDX-License-Identifier: BSD-3-Clause
-- case: the function with most samples is named at its line with most of them, a rank and all together
-- Rank 0: 12 of 20 samples in heavy, on two lines. Rank 1: 9 samples are too few, and of 19 of both heavy has most.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'sample_period_ns', 100), (1, 'end_ns', 1000),
	(1, 'sample_period_ns', 100);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
SELECT rank, column1, 0, column2, 'a.c', column3
FROM (VALUES (5, 'main', 1), (6, 'main', 2), (7, 'heavy (inlined in work)', 10), (8, 'heavy', 11), (9, 'light', 20)),
	(SELECT 0 AS rank UNION SELECT 1);
INSERT INTO sample_cell (rank, thread, callsite, after, place, count)
VALUES (0, 0, 5, 6, 7, 4), (0, 0, 5, 6, 8, 8), (0, 0, 5, 6, 9, 8), (1, 0, 5, 6, 8, 9), (1, -1, 0, 0, 9, 50);
-- ask: SELECT rank, thread, place, after, heavy, round(heavy_pct, 1) AS heavy_pct, no_cpu_pct, asleep_pct FROM sampled
-- rows:
-- rank|thread|place|after|heavy|heavy_pct|no_cpu_pct|asleep_pct
-- -1|-1|main a.c:1|main a.c:2|heavy a.c:11|72.4|-|-
-- 0|-1|main a.c:1|main a.c:2|heavy a.c:11|60|-|-
-- 0|0|main a.c:1|main a.c:2|heavy a.c:11|60|-|-
-- 1|-1|main a.c:1|main a.c:2|-|-|-|-
-- 1|0|main a.c:1|main a.c:2|-|-|-|-

-- case: times without a CPU are shares of the time of which CPU time is the rest, from 5 % on
-- 20 samples are 2000 ns; 1500 ns without a CPU and 1500 ns asleep are 30 % each. Polling is neither.
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'sample_period_ns', 100);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 5, 0, 'main', 'a.c', 1), (0, 9, 0, 'light', 'a.c', 20);
INSERT INTO sample_cell (rank, thread, callsite, after, place, count) VALUES (0, 0, 5, 0, 9, 20);
INSERT INTO off_cpu_row (id, enter, span, thread, what, callsite, after)
VALUES (1, 10, 500, 0, 1, 5, 0), (2, 900, 1500, 0, 2, 5, 0), (3, 5000, 9000, 0, 3, 5, 0), (4, 20000, 40, 0, 1, 0, 5);
INSERT INTO off_cpu_cell (rank, thread, what, callsite, after, count, ns, max_ns) VALUES (0, 0, 1, 5, 0, 3, 1000, 900);
-- ask: SELECT place, after, heavy, heavy_pct, no_cpu_pct, asleep_pct, sleeps FROM sampled WHERE rank = 0 AND thread = 0
-- rows:
-- place|after|heavy|heavy_pct|no_cpu_pct|asleep_pct|sleeps
-- |main a.c:1|-|-|-|-|0
-- main a.c:1||light a.c:20|100|30|30|0

-- case: a rank sleeps if that is half of the time, or more
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'sample_period_ns', 100);
INSERT INTO frame_row (rank, callsite, frame, function, file, line)
VALUES (0, 5, 0, 'main', 'a.c', 1), (0, 6, 0, 'main', 'a.c', 2), (0, 9, 0, 'light', 'a.c', 20);
INSERT INTO sample_cell (rank, thread, callsite, after, place, count) VALUES (0, 0, 5, 0, 9, 20), (0, 0, 6, 0, 9, 20);
INSERT INTO off_cpu_row (id, enter, span, thread, what, callsite, after)
VALUES (1, 10, 2000, 0, 2, 5, 0), (2, 5000, 1900, 0, 2, 6, 0);
-- ask: SELECT place, round(asleep_pct) AS pct, sleeps FROM sampled WHERE rank = 0 AND thread = 0
-- rows:
-- place|pct|sleeps
-- main a.c:1|50|1
-- main a.c:2|49|0
