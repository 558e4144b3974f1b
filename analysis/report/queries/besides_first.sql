-- SPDX-License-Identifier: BSD-3-Clause
-- The first thing that the verdict adds (besides.sql).
SELECT *
FROM besides
ORDER BY nth
LIMIT 1
