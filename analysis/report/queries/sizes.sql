-- SPDX-License-Identifier: BSD-3-Clause
-- Messages by size, a row for each power of two: at least least_bytes, and less than below_bytes. Each message counts
-- once, at its sender, or at its receiver if no sender was recorded.
SELECT bytes_log2, least_bytes, below_bytes, count, bytes, share_pct, count(*) OVER () AS sizes
FROM (
	SELECT bytes_log2, min(min_bytes) AS least_bytes, max(most_bytes) + 1 AS below_bytes, sum(count) AS count,
		sum(bytes) AS bytes, 100.0 * sum(count) / sum(sum(count)) OVER () AS share_pct
	FROM wait_cell_fields
	WHERE peer >= 0 AND count > 0 AND kind = iif(EXISTS (
		SELECT 1
		FROM wait_cell_fields
		WHERE peer >= 0 AND kind = 'send'), 'send', 'recv')
	GROUP BY bytes_log2)
ORDER BY bytes_log2
