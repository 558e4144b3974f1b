-- SPDX-License-Identifier: BSD-3-Clause
-- case: waits that the replay gives and those it leaves, by cause; causes without waits are left out
-- on: schema
CREATE TEMP TABLE scenario (by_model);
INSERT INTO scenario VALUES (0);
CREATE TEMP TABLE scenario_callsite (rank, callsite, cause, wait_before_ns, wait_after_ns);
INSERT INTO scenario_callsite VALUES (0, 1, 'late_sender', 100, 40), (1, 1, 'late_sender', 50, 10),
	(0, 2, 'late_receiver', 0, 30), (1, 2, 'late_progress', 75, 70), (0, 2, 'collective', 0, 0);
INSERT INTO new_exact_cell (rank, flow_ns, contention_ns) VALUES (0, 70, 0), (1, 10, 0);
-- rows:
-- cause|wait_before_ns|wait_after_ns|change_ns
-- late_sender|150|50|-100
-- flow_control|80|80|0
-- late_progress|75|70|-5
-- late_receiver|0|30|30
-- case: where calls take the time of a model, contention is unknown afterwards
-- on: schema
CREATE TEMP TABLE scenario_callsite (rank, callsite, cause, wait_before_ns, wait_after_ns);
CREATE TEMP TABLE scenario (by_model);
INSERT INTO scenario VALUES (1);
INSERT INTO scenario_callsite VALUES (0, 1, 'late_sender', 100, 40);
INSERT INTO new_exact_cell (rank, flow_ns, contention_ns) VALUES (0, 70, 5), (1, 10, 200);
-- rows:
-- cause|wait_before_ns|wait_after_ns|change_ns
-- contention|205|-|-
-- late_sender|100|40|-60
-- flow_control|80|80|0
