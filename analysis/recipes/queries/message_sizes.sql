-- SPDX-License-Identifier: BSD-3-Clause
-- How many messages of which size wait how long?
SELECT min(min_bytes) AS least_bytes, protocol, sum(count) AS count, sum(bytes) AS bytes, sum(wait_ns) AS wait_ns
FROM wait_cell_fields
WHERE kind = 'send' AND peer >= 0
GROUP BY bytes_log2, protocol
ORDER BY bytes_log2, protocol
LIMIT :top
