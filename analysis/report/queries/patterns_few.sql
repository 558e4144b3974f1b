-- SPDX-License-Identifier: BSD-3-Clause
-- The first two patterns, without those that the verdict or WORTH MOST tells of, and those whose better form does not
-- help (patterns_rows.sql).
SELECT *
FROM pattern_told t
WHERE pattern NOT IN ('one_late', 'late_in_turns') AND told_order < 2 AND NOT EXISTS (
	SELECT 1
	FROM pattern_best b
	WHERE b.pattern = t.pattern AND b.rank IS t.rank AND b.peer IS t.peer AND b."where" IS t."where")
LIMIT 2
