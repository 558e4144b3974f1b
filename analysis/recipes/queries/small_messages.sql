-- SPDX-License-Identifier: BSD-3-Clause
-- Which pairs exchange many messages below 1 KiB?
SELECT rank, peer, call, sum(count) AS count, sum(bytes) AS bytes, sum(bytes) / sum(count) AS mean_bytes
FROM wait_profile
WHERE kind = 'send' AND peer NOT NULL AND bytes_log2 <= 10 AND count > 0
GROUP BY rank, peer, call
ORDER BY count DESC, rank, peer
LIMIT :top
