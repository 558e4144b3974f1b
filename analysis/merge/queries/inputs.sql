-- SPDX-License-Identifier: BSD-3-Clause
-- What was merged: table input has a row for each file, merge_info says how.

-- query identity: whose rows a file has; %w: the schema
SELECT min(rank), max(value) FILTER (WHERE key = 'run_id'), max(value) FILTER (WHERE key = 'unfinished'),
	max(value) FILTER (WHERE key = 'world_size')
FROM "%w".run

-- query info: a value of merge_info
SELECT value FROM merge_info WHERE key = ?

-- query inputs: how many files were looked at
SELECT count(*) FROM input

-- query noted: what an earlier, interrupted merge noted of rank ?1
SELECT state, reason, (SELECT value FROM run WHERE rank = ?1 AND key = 'ops_left_out') FROM input WHERE rank = ?1

-- query damaged: ranks that were not merged whole
SELECT rank, state = 'partial', reason FROM input WHERE state IN ('partial', 'left_out') ORDER BY rank

-- query input_file: size and time of the file of rank ?1 as it was merged
SELECT file_bytes, mtime_ns FROM input WHERE rank = ?

-- query input_whole: as input_file, of a rank that ended and was merged whole
SELECT file_bytes, mtime_ns FROM input WHERE rank = ? AND state = 'whole'

-- query input_filled: size and time of the file of rank ?3 once it has names
UPDATE input SET file_bytes = ?, mtime_ns = ? WHERE rank = ?
