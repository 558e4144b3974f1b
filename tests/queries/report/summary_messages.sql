-- SPDX-License-Identifier: BSD-3-Clause
-- case: messages of both sides, and why others lack a partner
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT 0, 2, id, 4 FROM unmatched_name WHERE name = 'pending';
-- rows:
-- nth|messages|both_sides|reason|ops|continues
-- 0|9|1|-|-|0
-- 1|-|1|pending|4|1

-- case: one side alone knows no messages
-- on: one side
INSERT INTO run VALUES (0, 'end_ns', 1000);
-- rows:
-- nth|messages|both_sides|reason|ops|continues
-- 0|-|0|-|-|0

-- case: a partner may still come in a job that runs
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT 0, 2, id, 4 FROM unmatched_name WHERE name = 'pending';
-- rows:
-- nth|messages|both_sides|reason|ops|continues
-- 0|9|1|-|-|0

-- case: what lacks a partner is evidence in one that hangs
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 2000000000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO match_summary_cell (rank, kind, reason, ops)
SELECT 0, 2, id, 4 FROM unmatched_name WHERE name = 'pending';
-- rows:
-- nth|messages|both_sides|reason|ops|continues
-- 0|9|1|-|-|0
-- 1|-|1|pending|4|1
