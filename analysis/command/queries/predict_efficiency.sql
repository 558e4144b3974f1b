-- SPDX-License-Identifier: BSD-3-Clause
-- POP's efficiencies: parallel = load_balance * communication, communication = serialisation * transfer.
SELECT name AS efficiency, 100.0 * part_ns / whole_ns AS pct, part_ns, whole_ns
FROM (
	SELECT 1 AS nth, 'parallel' AS name, mean_computation_ns AS part_ns, run_ns AS whole_ns FROM scenario_efficiency
	UNION ALL SELECT 2, 'load_balance', mean_computation_ns, max_computation_ns FROM scenario_efficiency
	UNION ALL SELECT 3, 'communication', max_computation_ns, run_ns FROM scenario_efficiency
	UNION ALL SELECT 4, 'serialisation', max_computation_ns, ideal_ns FROM scenario_efficiency
	UNION ALL SELECT 5, 'transfer', ideal_ns, run_ns FROM scenario_efficiency
)
ORDER BY nth
