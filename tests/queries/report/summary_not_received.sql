-- SPDX-License-Identifier: BSD-3-Clause
-- case: how many messages nobody received, and who sent them
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT column1, 1, id, column2 FROM unmatched_name, (VALUES (0, 4), (2, 1)) WHERE name = 'not_received';
-- rows:
-- messages|ranks|nranks|call|place|peer|tag|bytes
-- 5|0,2|2|-|-|-|-|-

-- case: somebody still may in a job that runs
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT 0, 1, id, 4 FROM unmatched_name WHERE name = 'not_received';
-- rows:
-- messages|ranks|nranks|call|place|peer|tag|bytes

-- case: a job that hangs has not received them either
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 2000000000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT 0, 1, id, 4 FROM unmatched_name WHERE name = 'not_received';
-- rows:
-- messages|ranks|nranks|call|place|peer|tag|bytes
-- 4|0|1|-|-|-|-|-
