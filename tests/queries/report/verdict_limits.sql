-- SPDX-License-Identifier: BSD-3-Clause
-- case: nothing limits the verdict on a run that ended well
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- ask: SELECT * FROM verdict_limits
-- rows:
-- alone|ends|said|least|unseen|besides|other_calls|windows|outlook|unpredicted|not_predicted_pct|reason|link_reason
-- 0|0|0|0|0|0|0|0|0|0|-|-|-

-- case: lost bytes, an end that nobody saw, and time that is not predicted
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (0, 'lost_bytes', 64), (0, 'TRYST_CALIBRATE', 'off');
INSERT INTO new_call_cell (rank, call, callsite, count, time_ns) VALUES (0, call('MPI_Win_fence'), 1, 1, 100);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 1, 200);
-- ask: SELECT least, unseen, besides, other_calls, windows, outlook, unpredicted, not_predicted_pct, reason FROM verdict_limits
-- rows:
-- least|unseen|besides|other_calls|windows|outlook|unpredicted|not_predicted_pct|reason
-- 1|1|1|1|0|1|1|20|calibration_off

-- case: a pattern's gain by replay is said before
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
DROP VIEW verdict_limits;
INSERT INTO worth_run VALUES (1000, 10, NULL);
INSERT INTO pattern_gain VALUES (1, 8, 11, 900, 0);
-- ask: SELECT ends, said FROM verdict_limits
-- rows: values
-- 1|1

-- case: but not the worth of a bottleneck in which ranks are late by chance
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- then:
DROP VIEW verdict_limits;
INSERT INTO worth_run VALUES (1000, 10, NULL);
INSERT INTO worth VALUES (1, 50, 50);
INSERT INTO late_by_chance VALUES (1);
-- ask: SELECT ends, said FROM verdict_limits
-- rows: values
-- 0|0
