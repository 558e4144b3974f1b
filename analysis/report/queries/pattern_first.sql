-- SPDX-License-Identifier: BSD-3-Clause
-- The small messages whose combination would shorten the run most, if no bottleneck is worth more
-- (patterns_rows.sql).
-- ahead: a sentence stands before it in the verdict.
SELECT *, coalesce((SELECT said AND ends FROM outlook), 0) AS ahead
FROM pattern_best
WHERE NOT coalesce((SELECT alone FROM outlook), 0)
