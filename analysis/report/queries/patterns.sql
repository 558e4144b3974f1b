-- SPDX-License-Identifier: BSD-3-Clause
-- Patterns of communication by what they cost, with what aggregation would bring (patterns_rows.sql).
SELECT *
FROM pattern_told
LIMIT :top
