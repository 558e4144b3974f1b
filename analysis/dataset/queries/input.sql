-- SPDX-License-Identifier: BSD-3-Clause
-- The table input, as run.db would have it. A rank's file that was opened alone has none.
CREATE TEMP TABLE input (rank INTEGER PRIMARY KEY, file TEXT, file_bytes INTEGER, mtime_ns INTEGER,
	state TEXT, reason TEXT);
INSERT INTO input (rank, state)
SELECT rank, iif(max(key = 'unfinished' AND value = 1), 'unfinished', 'whole') FROM run GROUP BY rank;
