-- SPDX-License-Identifier: BSD-3-Clause
-- The programs with their arguments: the first three, and how many more (on the last of them).
-- ranks: of each, if there are several.
SELECT program, iif(programs > 1, ranks, NULL) AS ranks, nranks,
	row_number() OVER (ORDER BY nth) > 1 AS continues,
	iif(row_number() OVER (ORDER BY nth) = 3 AND programs > 3, programs - 3, NULL) AS more
FROM (
	SELECT *
	FROM program_row
	UNION ALL SELECT 0, NULL, NULL, NULL, 1
	WHERE NOT EXISTS (SELECT 1 FROM program_row))
ORDER BY nth
LIMIT 3
