-- SPDX-License-Identifier: BSD-3-Clause
-- Ranks without any file, and processes that were not started as one run. If one rank's
-- database was opened alone, its table input names no file, and no rank counts as missing. A
-- world_size larger than ids have room for is damage.
WITH RECURSIVE n(n) AS (
	SELECT max(CAST(value AS INTEGER)) FROM run
	WHERE key = 'world_size' AND CAST(value AS INTEGER) <= 1048576
), expected(rank) AS (
	SELECT 0 FROM n WHERE n > 0 UNION ALL SELECT rank + 1 FROM expected, n WHERE rank + 1 < n
)
SELECT 1, printf('no file of rank%s %s: nothing is known of %s', iif(count(*) = 1, '', 's'),
	rank_list(rank), iif(count(*) = 1, 'it', 'them'))
FROM (SELECT rank FROM expected WHERE rank NOT IN (SELECT rank FROM input) ORDER BY rank)
WHERE EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL)
HAVING count(*)
UNION ALL SELECT 0, text FROM apart
