-- SPDX-License-Identifier: BSD-3-Clause
-- Errors of bursts by their hosts, and of flows by their pattern, a column a model.
SELECT from_rank || '-' || to_rank AS pair, what, flow, hosts, bytes AS length_bytes,
	max(measured_ns) AS measured_ns,
	max(error_pct) FILTER (WHERE model = 'LogP') AS LogP_pct,
	max(error_pct) FILTER (WHERE model = 'LogfP') AS LogfP_pct,
	max(error_pct) FILTER (WHERE model = 'LoP') AS LoP_pct,
	max(error_pct) FILTER (WHERE model = 'MM') AS MM_pct,
	max(error_pct) FILTER (WHERE model = 'repeatability') AS repeatability_pct
FROM comparison
WHERE what <> 'round_trip'
GROUP BY from_rank, to_rank, what, flow, hosts, bytes
