-- SPDX-License-Identifier: BSD-3-Clause
-- case: nothing was lost
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'world_size', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place

-- case: nothing at all was recorded
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place
-- 2|all|-|-|-|-|-|-|-|-|-|-|-|-

-- case: ranks whose files are missing, left out, damaged or still written
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state, reason)
VALUES (0, 'rank-000000.db', 'whole', NULL), (1, 'rank-000001.db', 'left_out', 'it is of another run'),
	(2, 'rank-000002.db', 'partial', 'malformed'), (3, 'rank-000003.db', 'unfinished', NULL);
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'world_size', 6);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place
-- 2|ranks_missing|2|4,5|2|ranks|-|-|-|-|-|-|-|-
-- 3|ranks_left_out|1|1|1|ranks|-|-|-|-|-|it is of another run|-|-
-- 4|ranks_damaged|1|2|1|ranks|-|-|-|-|-|malformed|-|-
-- 5|ranks_running|1|3|1|ranks|-|-|-|-|-|-|-|-

-- case: a rank that calls MPI_Abort, and one that the others wait for outside MPI
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (1, 'end_ns', 1000), (1, 'clean_finalize', 0);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter) VALUES (first_id(0), call('MPI_Barrier'), 1, 100);
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place
-- 6|ranks_not_finalized|2|0,1|2|ranks|-|-|-|-|-|-|-|-
-- 6.05|time_after_last_record|2|0,1|-|ns|-|-|-|-|-|-|-|-
-- 6.2|outside_mpi|1|1|1|ranks|1|-|-|-|-|-|-|-

-- case: rows, bytes and calls
-- Rank 0 dropped 5 ops behind one that was posted at 300. It was not recorded for 250 of 1000 ns, and stopped.
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'world_size', 1), (0, 'dropped_ops', 5),
	(0, 'lost_bytes', 640), (0, 'lost_reason', 'No space left on device'), (0, 'stopped', 1), (0, 'unrecorded_ns', 250),
	(0, 'calls_left', 3), (0, 'damaged_bytes', 64), (0, 'missing_chunks', 2), (0, 'ops_left_out', 9);
INSERT INTO op_row (id, code, post, span, bytes, peer, tag, comm, callsite)
VALUES (first_id(0) + 1, pack('op_code', 'call=MPI_Send kind=send'), 300, 5, 8, 1, 3, pack('comm_thread', 'comm=1'), 1);
INSERT INTO new_call_cell (rank, call, callsite, count, errors)
VALUES (0, call('MPI_Send'), 1, 9, 2), (0, call('MPI_Recv'), 1, 9, 4);
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place
-- 7|dropped_ops|1|0|5|rows|-|-|-|300|not_written|-|ops|-
-- 8|lost_bytes|1|0|640|B|-|-|-|-|-|No space left on device|-|-
-- 9|ranks_stopped|1|0|1|ranks|-|-|-|-|-|-|-|-
-- 9.1|time_not_recorded|1|0|250|ns|-|-|25|250|-|-|-|-
-- 9.2|calls_left|1|0|3|calls|-|-|-|-|-|-|-|-
-- 9.3|calls_failed|1|0|6|calls|4|1|-|-|-|-|MPI_Recv|-
-- 10|damaged_bytes|1|0|64|B|-|-|-|-|-|-|-|-
-- 10|missing_chunks|1|0|2|chunks|-|-|-|-|-|-|-|-
-- 12|ops_left_out|1|0|9|rows|-|-|-|-|-|-|-|-

-- case: samples
-- Both ranks lost samples, rank 1 from a smaller buffer; rank 2 lost some in calls alone, which are not missed.
-- Two of three threads without samples had no memory.
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'world_size', 3), (1, 'end_ns', 1000),
	(1, 'clean_finalize', 1), (2, 'end_ns', 1000), (2, 'clean_finalize', 1), (2, 'samples_lost_bytes', 96),
	(2, 'samples_lost_in_calls', 96), (0, 'samples_lost_bytes', 340), (0, 'samples_lost_in_calls', 100), (1, 'samples_lost_bytes', 48), (1, 'small_buffers', 1),
	(1, 'unsampled_threads', 3), (1, 'unlocked_threads', 2), (0, 'samples_dropped', 7);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1), (1, call('MPI_Send'), 1, 1),
	(2, call('MPI_Send'), 1, 1);
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place
-- 9.4|samples_lost|2|0,1|288|B|-|-|-|-|small|-|-|-
-- 9.5|samples_dropped|1|0|7|records|-|-|-|-|-|-|-|-
-- 9.6|threads_unsampled|1|1|3|threads|-|2|-|-|-|-|-|-

-- case: smaller buffers lose nothing by themselves
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'world_size', 1), (0, 'small_buffers', 1);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place

-- case: messages without predictions, and what the analysis could not do
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 1), (0, 'world_size', 1), (0, 'TRYST_CALIBRATE', 'off');
INSERT INTO match_info VALUES ('messages', 1), ('violations', 3), ('clocks_unknown', 0), ('blame_cut', 2);
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO new_wait_cell (rank, callsite, code, peer, count, blocked_ns)
VALUES (0, 1, pack('wait_code', 'call=MPI_Recv kind=recv no_prediction'), 1, 5, 70),
	(0, 1, pack('wait_code', 'call=MPI_Send kind=send protocol=eager'), 1, 2, 10);
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place
-- 11|messages_not_predicted|-|-|5|ops|7|-|-|70|off|-|-|-
-- 13|violations|-|-|3|messages|-|-|-|-|-|-|-|-
-- 18|blame_cut|-|-|2|waits|-|-|-|-|-|-|-|-

-- case: collectives without all members are told to machines while the job runs
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 1000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO run VALUES (0, 'world_size', 1);
INSERT INTO match_info VALUES ('messages', 1), ('collectives_cut', 3);
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place
-- 5|ranks_running|1|0|1|ranks|-|-|-|-|-|-|-|-
-- 17|collectives_cut|-|-|3|collectives|-|-|-|-|runs|-|-|-

-- case: and to all where it hangs
CREATE TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER, state TEXT, reason TEXT);
INSERT INTO input (rank, file, state) VALUES (0, 'rank-000000.db', 'unfinished');
INSERT INTO run VALUES (0, 'end_ns', 2000000000), (0, 'clean_finalize', 0), (0, 'process', 'alive');
INSERT INTO new_call_cell (rank, call, callsite, count) VALUES (0, call('MPI_Send'), 1, 1);
INSERT INTO in_call_row (id, call, callsite, enter, peer) VALUES (first_id(0), call('MPI_Barrier'), 1, 100, NULL);
INSERT INTO run VALUES (0, 'world_size', 1);
INSERT INTO match_info VALUES ('messages', 1), ('collectives_cut', 3);
-- rows:
-- o|loss|nranks|ranks|count|unit|of|more|share_pct|ns|state|reason|name|place
-- 5|ranks_running|1|0|1|ranks|-|-|-|-|-|-|-|-
-- 17|collectives_cut|-|-|3|collectives|-|-|-|-|-|-|-|-
