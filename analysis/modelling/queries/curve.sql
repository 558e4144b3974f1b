-- SPDX-License-Identifier: BSD-3-Clause
-- How far off is each model at each length of a round trip from rank ?1 to ?2?
SELECT model, bytes, error_pct
FROM comparison
WHERE delay_ns = 0 AND what = 'round_trip' AND from_rank = CAST(?1 AS INTEGER)
	AND to_rank = CAST(?2 AS INTEGER)
ORDER BY model, bytes
