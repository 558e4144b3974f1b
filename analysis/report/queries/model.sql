-- SPDX-License-Identifier: BSD-3-Clause
-- How far off live predictions were, for calls that waited for nobody. If only one side is
-- known, full buffers may still have made these calls wait (unblocked).
SELECT kind, coalesce(protocol, 'unknown') AS protocol, sum(count) AS count,
	sum(predicted_ns) / sum(count) AS predicted_ns,
	sum(blocked_ns) / sum(count) AS blocked_ns,
	(sum(blocked_ns) - sum(predicted_ns)) / sum(count) AS error_ns,
	100.0 * (sum(blocked_ns) - sum(predicted_ns)) / nullif(sum(predicted_ns), 0) AS error_pct
FROM unblocked
GROUP BY kind, protocol
ORDER BY kind DESC, protocol
