-- SPDX-License-Identifier: BSD-3-Clause
-- case: a rank is in a call, and has been for a short time
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished'), (1, 'rank-000001.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO run VALUES (0, 'process', 'alive'), (1, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
-- rows: values
-- 1

-- case: it has been in it for longer than a second
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished'), (1, 'rank-000001.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 2000000000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO run VALUES (0, 'process', 'alive'), (1, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
-- rows: values
-- 0

-- case: a process is on another machine, where nobody sees for how long the call has not returned
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished'), (1, 'rank-000001.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO run VALUES (0, 'process', 'alive'), (1, 'process', 'unknown');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
-- rows: values
-- 0

-- case: no rank is in a call, wherever its process is
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (0, 'process', 'unknown');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows: values
-- 1

-- case: a rank ended without MPI_Finalize
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'whole');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows: values
-- 0
