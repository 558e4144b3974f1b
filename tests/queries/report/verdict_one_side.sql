-- SPDX-License-Identifier: BSD-3-Clause
-- case: waits and their share of the run, and what is not predicted
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 600), (1, 'end_ns', 400), (0, 'clean_finalize', 1), (1, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 1, 300, 250),
	(1, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 0, 1, 40, 0);
-- rows:
-- wait_ns|share_pct|not_predicted_ns|alone|ends|said|least|unseen|besides|other_calls|windows|outlook|unpredicted|not_predicted_pct|reason|link_reason|ran
-- 250|25|40|0|0|0|0|0|0|0|0|0|0|4|no_parameters|-|1
