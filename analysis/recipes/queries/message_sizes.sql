-- SPDX-License-Identifier: BSD-3-Clause
-- How many messages are of which size, and how long do they wait?
SELECT iif(bytes_log2, 1 << (bytes_log2 - 1), 0) AS least_bytes, protocol, sum(count) AS count, sum(bytes) AS bytes,
	sum(wait_ns) AS wait_ns
FROM wait_profile
WHERE kind = 'send' AND peer NOT NULL
GROUP BY bytes_log2, protocol
ORDER BY bytes_log2, protocol
LIMIT :top
