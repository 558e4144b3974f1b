-- SPDX-License-Identifier: BSD-3-Clause
-- Messages and bytes from rank to peer, within one world, and the rank's waits as its side knows them.
SELECT rank, peer, sum(sent_count) AS sent_count, sum(sent_bytes) AS sent_bytes,
	sum(wait_ns) AS one_side_wait_ns
FROM comm_matrix
WHERE peer_world IS NULL AND peer >= 0
GROUP BY rank, peer
ORDER BY rank, peer
