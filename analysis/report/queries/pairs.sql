-- SPDX-License-Identifier: BSD-3-Clause
-- Which pairs of ranks wait most? Each side's waits as that side alone can know them.
SELECT rank AS waiting_rank, iif(kind = 'send', 'sends to', 'receives from') AS "as", peer, count,
	bytes, wait_ns,
	100.0 * wait_ns / nullif((SELECT sum(wait_ns) FROM wait_cell WHERE peer >= 0), 0)
	AS share_pct,
	max_wait_ns AS longest_ns
FROM wait_by_peer
WHERE wait_ns > 0
ORDER BY wait_ns DESC, rank, peer
LIMIT :top
