-- SPDX-License-Identifier: BSD-3-Clause
-- The pattern whose remedy would shorten the run most, if no bottleneck is worth more (patterns_rows.sql).
SELECT *
FROM pattern_first
