-- SPDX-License-Identifier: BSD-3-Clause
-- Adds 0 for each rank without time in a part that other ranks have. Runs after all queries
-- that fill rank_time.
INSERT OR IGNORE INTO rank_time
SELECT t.rank, p.part, 0
FROM (SELECT DISTINCT part FROM rank_time) p
CROSS JOIN rank_time t
WHERE t.part = 'run';
