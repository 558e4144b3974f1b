-- SPDX-License-Identifier: BSD-3-Clause
-- case: unpredicted time of a hundredth of the run could change the verdict
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 1, 10),
	(0, 2, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 1, 500);
-- ask: SELECT (SELECT count(*) FROM hedge) AS hedged, part, ns FROM rank_time WHERE part = 'unpredicted'
-- rows:
-- hedged|part|ns
-- 1|unpredicted|10

-- case: less could not, but is a part of the time
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 1, 9),
	(0, 2, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 1, 500);
-- ask: SELECT (SELECT count(*) FROM hedge) AS hedged, part, ns FROM rank_time WHERE part = 'unpredicted'
-- rows:
-- hedged|part|ns
-- 0|unpredicted|9
