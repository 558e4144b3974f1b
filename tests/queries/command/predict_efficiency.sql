-- SPDX-License-Identifier: BSD-3-Clause
-- case: each is a quotient, and the products hold
CREATE TEMP TABLE scenario_efficiency (run_ns, ideal_ns, mean_computation_ns, max_computation_ns);
INSERT INTO scenario_efficiency VALUES (1000, 800, 300, 400);
-- rows:
-- efficiency|pct|part_ns|whole_ns
-- parallel|30|300|1000
-- load_balance|75|300|400
-- communication|40|400|1000
-- serialisation|50|400|800
-- transfer|80|800|1000
-- case: where the ideal run is unknown, so are its two; nothing is divided by nothing
CREATE TEMP TABLE scenario_efficiency (run_ns, ideal_ns, mean_computation_ns, max_computation_ns);
INSERT INTO scenario_efficiency VALUES (1000, NULL, 0, 0);
-- rows:
-- efficiency|pct|part_ns|whole_ns
-- parallel|0|0|1000
-- load_balance|-|0|0
-- communication|0|0|1000
-- serialisation|-|0|-
-- transfer|-|-|1000
