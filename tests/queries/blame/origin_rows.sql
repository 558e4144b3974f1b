-- SPDX-License-Identifier: BSD-3-Clause
-- case: all callsites at the place of a bottleneck, with its code
-- Rank 1 has the line as well. Another code there, and another place, are no part of it.
CREATE TEMP TABLE origin (rank, callsite, code, ns, place);
INSERT INTO origin VALUES (0, 1, 7, 100, 'main a.c:1'), (1, 4, 7, 50, 'main a.c:1'), (1, 4, 8, 50, 'main a.c:1'),
	(1, 5, 7, 50, 'main a.c:2');
INSERT INTO blame_of_row (n, code, rank, callsite) VALUES (3, 7, 0, 1);
-- rows:
-- rank|callsite|code|n
-- 0|1|7|3
-- 1|4|7|3
