-- SPDX-License-Identifier: BSD-3-Clause
-- case: one did not call MPI_Finalize
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows: values
-- 1

-- case: all did
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows: values
-- 0

-- case: one is in a call for long, and has not ended
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 2000000000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
-- rows: values
-- 0
