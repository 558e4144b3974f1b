-- SPDX-License-Identifier: BSD-3-Clause
-- case: waits that the replay gives and those it leaves, by cause; causes without waits are left out
-- on: schema
CREATE TEMP TABLE scenario_callsite (rank, callsite, cause, wait_before_ns, wait_after_ns);
INSERT INTO scenario_callsite VALUES (0, 1, 'late_sender', 100, 40), (1, 1, 'late_sender', 50, 10),
	(0, 2, 'late_receiver', 0, 30), (0, 2, 'collective', 0, 0);
INSERT INTO new_exact_cell (rank, progress_ns, flow_ns) VALUES (0, 70, 0), (1, 5, 0);
-- rows:
-- cause|wait_before_ns|wait_after_ns|change_ns
-- late_sender|150|50|-100
-- late_progress|75|75|0
-- late_receiver|0|30|30
