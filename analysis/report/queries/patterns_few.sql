-- SPDX-License-Identifier: BSD-3-Clause
-- The first two patterns, without those that the verdict tells of (patterns_rows.sql).
SELECT *
FROM pattern_told
WHERE pattern NOT IN ('one_late', 'late_in_turns')
LIMIT 2
