-- SPDX-License-Identifier: BSD-3-Clause
-- Which pairs of ranks wait most, from both sides? Times in ns, share_pct of all waits in
-- messages. Needs the report's exact_part and waited_sum.
SELECT rank AS waiting_rank, iif(kind = 'send', 'sends to', 'receives from') AS "as", peer,
	sum(waits) AS count, sum(ns) AS wait_ns,
	100.0 * sum(ns) / nullif((SELECT ns FROM waited_sum), 0) AS share_pct,
	max(longest_ns) AS longest_late_ns
FROM exact_part
GROUP BY rank, kind, peer
HAVING sum(ns) > 0
ORDER BY sum(ns) DESC, rank, kind DESC, peer
LIMIT :top
