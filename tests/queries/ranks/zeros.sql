-- SPDX-License-Identifier: BSD-3-Clause
-- case: each rank's clock, and when it showed 0
INSERT INTO run VALUES (1, 'boot_id', 'b'), (1, 'ns_per_tick', '0.5'), (1, 'zero_ticks', 70), (1, 'zero_monotonic_ns', 90),
	(1, 'clock_id', 'tsc'), (1, 'host', 'h'), (1, 'end_ns', '1000'), (0, 'boot_id', 'a'), (0, 'program', 'ring');
-- rows: values
-- 0|a|-|-|-|-|-|-
-- 1|b|0.5|70|90|tsc|h|1000
