-- SPDX-License-Identifier: BSD-3-Clause
-- case: a call has not returned for longer than a second
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 2000000000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
-- rows: values
-- 1

-- case: it was called a short time ago
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
-- rows: values
-- 0

-- case: the rank was killed in it
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'whole');
INSERT INTO run VALUES (0, 'end_ns', 2000000000), (0, 'clean_finalize', 0), (0, 'process', 'dead');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
-- rows: values
-- 0
