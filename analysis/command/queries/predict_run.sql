-- SPDX-License-Identifier: BSD-3-Clause
-- The run time, as measured, as replayed without a change, and under the scenario.
SELECT run_before_ns, run_same_ns, run_after_ns, run_after_ns - run_before_ns AS change_ns,
	100.0 * (run_after_ns - run_before_ns) / max(run_before_ns, 1) AS change_pct, moved
FROM temp.scenario
