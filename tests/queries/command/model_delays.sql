-- SPDX-License-Identifier: BSD-3-Clause
-- case: round trips with a delay, over all lengths; errors have no sign; no bursts
CREATE TEMP TABLE comparison (from_rank, to_rank, tier, regime, bytes, delay_ns, model, measured_ns, error_pct,
	what DEFAULT 'round_trip');
INSERT INTO comparison VALUES (0, 1, 'node', 'short', 8, 9000, 'LogP', 700.0, 60.0, 'burst');
INSERT INTO comparison (from_rank, to_rank, tier, regime, bytes, delay_ns, model, measured_ns, error_pct)
VALUES (0, 1, 'node', 'short', 8, 0, 'LogGPS', 500.0, -4.0), (0, 1, 'node', 'short', 16, 0, 'LogGPS', 510.0, 2.0),
	(0, 1, 'node', 'eager', 1024, 0, 'LogGPS', 900.0, 10.0), (0, 1, 'node', 'short', 8, 0, 'MM', 500.0, 8.0),
	(0, 1, 'node', 'short', 8, 0, 'repeatability', 500.0, 1.0), (0, 1, 'node', 'short', 16, 0, 'repeatability', 510.0, -2.0),
	(0, 1, 'node', 'short', 8, 9000, 'LogGPS', 9500.0, -30.0), (0, 1, 'node', 'eager', 1024, 9000, 'LogGPS', 9900.0, 10.0),
	(0, 1, 'node', 'short', 8, 9000, 'repeatability', 9500.0, 3.0);
-- rows:
-- pair|delay_ns|model|lengths|mean_error_pct|repeatability_pct|worst_error_pct
-- 0-1|9000|LogGPS|2|20|3|30
