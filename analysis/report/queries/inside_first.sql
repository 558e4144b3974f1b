-- SPDX-License-Identifier: BSD-3-Clause
-- Which is the first call of a thread from id ?1 on, and before ?2?
SELECT id, enter, span
FROM busy_row
WHERE id >= CAST(?1 AS INTEGER) AND id < CAST(?2 AS INTEGER)
ORDER BY id
LIMIT 1
