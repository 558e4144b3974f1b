-- SPDX-License-Identifier: BSD-3-Clause
-- case: a row a burst and a flow, a column a model; round trips are left out
CREATE TEMP TABLE comparison (from_rank, to_rank, tier, model, bytes, delay_ns, measured_ns, error_pct, what, hosts, flow);
INSERT INTO comparison
VALUES (0, 1, 'node', 'LogP', 8, 0, 500.0, -4.0, 'round_trip', NULL, NULL),
	(0, 1, 'node', 'LogP', 1, 0, 900.0, 30.0, 'burst', 3, NULL), (0, 1, 'node', 'LogfP', 1, 0, 900.0, 2.0, 'burst', 3, NULL),
	(0, 1, 'node', 'LoP', 1, 0, 900.0, -1.0, 'burst', 3, NULL), (0, 1, 'node', 'LogfP', 1, 0, 200.0, 5.0, 'burst_send', 3, NULL),
	(0, 1, 'node', 'repeatability', 1, 0, 900.0, 0.5, 'burst', 3, NULL),
	(0, 1, 'node', 'MM', 1000, 0, 7000.0, 12.0, 'flow', 1, 'out'), (0, 1, 'node', 'MM', 1000, 0, 3500.0, 1.0, 'flow', NULL, 'alone');
-- rows:
-- pair|what|flow|hosts|length_bytes|measured_ns|LogP_pct|LogfP_pct|LoP_pct|MM_pct|repeatability_pct
-- 0-1|burst|-|3|1|900|30|2|-1|-|0.5
-- 0-1|burst_send|-|3|1|200|-|5|-|-|-
-- 0-1|flow|alone|-|1000|3500|-|-|-|1|-
-- 0-1|flow|out|1|1000|7000|-|-|-|12|-
