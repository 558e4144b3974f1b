-- SPDX-License-Identifier: BSD-3-Clause
-- How long did messages of each size block, and how long should they have? Means; those of predictions are over
-- messages that have one.
SELECT kind, protocol, power_of_two(bytes_log2 - 1) AS least_bytes, power_of_two(bytes_log2) AS below_bytes, sum(count) AS count, sum(bytes) / sum(count) AS mean_bytes,
	sum(predicted_ns) / sum(count) FILTER (WHERE predicted_ns NOT NULL) AS predicted_mean_ns,
	sum(blocked_ns) / sum(count) AS blocked_mean_ns, sum(wait_ns) AS wait_ns
FROM wait_profile
WHERE peer IS NOT NULL AND count > 0
GROUP BY kind, protocol, bytes_log2
ORDER BY kind, protocol, bytes_log2
