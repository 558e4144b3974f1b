-- SPDX-License-Identifier: BSD-3-Clause
-- Errors of round trips by length, a column a model.
SELECT from_rank || '-' || to_rank AS pair, bytes AS length_bytes, max(measured_ns) AS measured_ns,
	max(error_pct) FILTER (WHERE model = 'LogP') AS LogP_pct,
	max(error_pct) FILTER (WHERE model = 'LogGP-1') AS LogGP1_pct,
	max(error_pct) FILTER (WHERE model = 'LogGP-2') AS LogGP2_pct,
	max(error_pct) FILTER (WHERE model = 'LogGPS') AS LogGPS_pct,
	max(error_pct) FILTER (WHERE model = 'PLogP') AS PLogP_pct,
	max(error_pct) FILTER (WHERE model = 'MM') AS MM_pct,
	max(error_pct) FILTER (WHERE model = 'repeatability') AS repeatability_pct
FROM comparison
WHERE delay_ns = 0 AND what = 'round_trip'
GROUP BY from_rank, to_rank, bytes
