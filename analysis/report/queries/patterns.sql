-- SPDX-License-Identifier: BSD-3-Clause
-- Patterns of communication, those with the largest gains first, with what their better forms bring (patterns_rows.sql).
SELECT *
FROM pattern_told
LIMIT :top
