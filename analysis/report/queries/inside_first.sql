-- SPDX-License-Identifier: BSD-3-Clause
-- The first call of a thread with an id of at least ?1 and below ?2.
SELECT id, enter, span
FROM busy_row
WHERE id >= CAST(?1 AS INTEGER) AND id < CAST(?2 AS INTEGER)
ORDER BY id
LIMIT 1
