-- SPDX-License-Identifier: BSD-3-Clause
-- Messages by kind and protocol, as one side can know them.
WITH p AS (
	SELECT kind, protocol, sum(count) AS count, sum(bytes) AS bytes, sum(blocked_ns) AS blocked_ns,
		sum(predicted_ns) AS predicted_ns, sum(wait_ns) AS wait_ns
	FROM wait_cell_fields
	WHERE peer >= 0
	GROUP BY kind, protocol)
SELECT kind, coalesce(protocol, 'unknown') AS protocol, count,
	bytes, blocked_ns, iif(protocol IS NULL, NULL, predicted_ns) AS predicted_ns,
	iif(protocol IS NULL, NULL, wait_ns) AS wait_ns,
	100.0 * iif(protocol IS NULL, NULL, wait_ns) / nullif((SELECT sum(wait_ns) FROM p), 0) AS
	share_pct
FROM p
ORDER BY p.wait_ns DESC, 1, 2
