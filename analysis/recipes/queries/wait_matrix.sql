-- SPDX-License-Identifier: BSD-3-Clause
-- How long does each rank wait for each other rank?
SELECT rank, peer, sum(late_ns + progress_ns + order_ns + flow_ns + contention_ns) AS wait_ns
FROM exact_profile
WHERE cause NOT NULL
GROUP BY rank, peer
ORDER BY wait_ns DESC, rank, peer
LIMIT :top
