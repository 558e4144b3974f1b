-- SPDX-License-Identifier: BSD-3-Clause
-- The ?1 ranks that waited longest, in messages and collectives (waits.sql).
SELECT rank
FROM (
	SELECT rank, 0 AS wait FROM run WHERE rank >= 0
	UNION ALL SELECT o.rank, w.wait FROM exact_wait w JOIN op_row_fields o ON o.id = w.op
	UNION ALL SELECT rank, wait FROM exact_coll_wait)
GROUP BY rank ORDER BY sum(wait) DESC, rank LIMIT ?1
