-- SPDX-License-Identifier: BSD-3-Clause
-- case: messages that lack a prediction or a protocol, how many are with other worlds, and their time that is no known wait
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager no_prediction'), 1, 5, 70, 0),
	(0, 1, pack('wait_code', 'call=MPI_Recv kind=recv comm_peer'), 1, 2, 40, 10),
	(0, 2, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 9, 900, 9),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send proc_null no_prediction'), -1, 9, 900, 9);
-- ask: SELECT rank, ops, far, blocked_ns, ns FROM unpredicted
-- rows:
-- rank|ops|far|blocked_ns|ns
-- 0|7|2|110|100

-- case: because the link lacks S, and what the calibration says of it
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO link_param (rank, tier, model, name, value, reason)
VALUES (0, 'node', 'LogGPS', 'o', NULL, 'noisy'), (0, 'node', 'LogGPS', 'S', NULL, 'no large message'),
	(0, 'network', 'LogGPS', 'S', 100, NULL), (0, 'network', 'LogGPS', 'o', NULL, 'elsewhere');
-- ask: SELECT reason, link_reason FROM unpredicted_why
-- rows:
-- reason|link_reason
-- no_parameters|no large message

-- case: because the user wanted no calibration
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'TRYST_CALIBRATE', 'off');
-- ask: SELECT reason, link_reason FROM unpredicted_why
-- rows:
-- reason|link_reason
-- calibration_off|-

-- case: because all of them are with other worlds
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'TRYST_CALIBRATE', 'off');
INSERT INTO new_wait_cell (rank, callsite, code, peer, count)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv comm_peer'), 1, 2);
-- ask: SELECT reason, link_reason FROM unpredicted_why
-- rows:
-- reason|link_reason
-- other_worlds|-
