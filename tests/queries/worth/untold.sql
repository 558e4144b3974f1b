-- SPDX-License-Identifier: BSD-3-Clause
-- case: too many messages
-- bind: 9
INSERT INTO match_info VALUES ('messages', '10');
-- rows: values
-- long

-- case: just as many are not too many; there is no bottleneck
-- bind: 10
INSERT INTO match_info VALUES ('messages', '10');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
-- rows: values
-- nothing

-- case: a rank did not come to its end
-- bind: 10
INSERT INTO match_info VALUES ('messages', '10');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0);
-- rows: values
-- cut_short

-- case: the job still runs
-- bind: 10
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO match_info VALUES ('messages', '10');
-- rows: values
-- runs

-- case: messages without rows
-- bind: 10
INSERT INTO match_info VALUES ('messages', '10');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'dropped_ops', 5);
-- rows: values
-- without_rows

-- case: nothing is against it
-- bind: 10
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1);
INSERT INTO new_exact_cell (rank, callsite, code, peer, bytes_log2, count, bytes, waits, late_ns, max_bytes)
VALUES (0, 1, pack('exact_code', 'call=MPI_Recv kind=recv protocol=eager cause=late_sender'), 1, 4, 4, 32, 4, 400, 8);
-- rows: values
-- -
