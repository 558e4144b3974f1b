-- SPDX-License-Identifier: BSD-3-Clause
-- case: messages are matched
INSERT INTO match_info VALUES ('messages', 3);
-- rows: values
-- 1

-- case: no message is matched, and one side knows of a wait
INSERT INTO match_info VALUES ('messages', 0);
INSERT INTO new_wait_cell (rank, callsite, code, peer, wait_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv protocol=eager'), 1, 5);
-- rows: values
-- 0

-- case: neither knows of one
INSERT INTO match_info VALUES ('messages', 0);
-- rows: values
-- 1

-- case: the run was not analyzed
-- rows: values
-- 0
