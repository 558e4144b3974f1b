-- SPDX-License-Identifier: BSD-3-Clause
-- case: a lack of CPUs
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'cpu_wait_ns', 201);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows:
-- why|ns|pct|first|reason|link_reason
-- no_cpu|201|20.1|1|-|-

-- case: no message is predicted, and why
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'TRYST_CALIBRATE', 'off');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Recv'), 1, 1);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 1, 300);
-- rows:
-- why|ns|pct|first|reason|link_reason
-- unpredicted|300|30|1|calibration_off|-

-- case: nothing else than an empty run is told of
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'cpu_wait_ns', 201);
-- rows: values
