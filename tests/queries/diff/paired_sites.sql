-- SPDX-License-Identifier: BSD-3-Clause
-- case: a line that has moved is one site, and its place names both lines
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (0, 1, 4, 'ab12', 20, 'f a.c:7', 'f', 'a.c', 7),
	(1, 0, 1, 'cd34', 32, 'f a.c:9', 'f', 'a.c', 9);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'call', 0, 1, 'MPI_Send', '', 1, 50, 50), (0, 'call', 1, 4, 'MPI_Send', '', 1, 50, 50), (1, 'call', 0, 1, 'MPI_Send', '', 1, 50, 50);
-- ask: SELECT side, rank, callsite, dense_rank() OVER (ORDER BY id) AS site, place FROM site ORDER BY side, rank
-- rows:
-- side|rank|callsite|site|place
-- 0|0|1|1|f a.c:7 (B: 9)
-- 0|1|4|1|f a.c:7 (B: 9)
-- 1|0|1|1|f a.c:7 (B: 9)

-- case: another function is another site
INSERT INTO run (side, name, program, ranks, both_sides, messages, unpredicted_ns)
VALUES (0, 'a', '/bin/ring', 2, 1, 9, 0), (1, 'b', '/opt/ring', 2, 1, 1, 0);
INSERT INTO site (side, rank, callsite, build_id, offset, place, function, unit, line)
VALUES (0, 0, 1, 'ab12', 16, 'f a.c:7', 'f', 'a.c', 7), (1, 0, 1, 'cd34', 32, 'g b.c:9', 'g', 'b.c', 9);
INSERT INTO cell (side, what, rank, callsite, call, cause, count, ns, longest_ns)
VALUES (0, 'call', 0, 1, 'MPI_Send', '', 1, 50, 50), (1, 'call', 0, 1, 'MPI_Recv', '', 1, 50, 50);
-- ask: SELECT side, place, (SELECT count(DISTINCT id) FROM site) AS sites FROM site ORDER BY side
-- rows:
-- side|place|sites
-- 0|f a.c:7|2
-- 1|g b.c:9|2
