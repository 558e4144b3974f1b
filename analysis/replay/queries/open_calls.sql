-- SPDX-License-Identifier: BSD-3-Clause
-- The calls that threads of a rank were in when its records ended. Ids from ?1 to before ?2 are its.
SELECT thread, call_id, enter, callsite
FROM in_call_row_fields
WHERE id >= CAST(?1 AS INTEGER) AND id < CAST(?2 AS INTEGER) AND enter IS NOT NULL
ORDER BY thread
