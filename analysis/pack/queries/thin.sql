-- SPDX-License-Identifier: BSD-3-Clause
-- Temp table keep has a number n. Keeps the rows of the n messages with the longest waits, and of the n one-sided and n
-- file operations that blocked longest. The others count as left out. Rows that were pending at the end stay, as
-- do each rank's first one, its last collective on each communicator, and nonblocking collectives. Times without a CPU
-- go into their sums. Of collective calls on a window, all members stay or none: view rma_wait compares them.
CREATE TEMP TABLE IF NOT EXISTS kept_op (id INTEGER PRIMARY KEY);
DELETE FROM kept_op;
DELETE FROM match_row WHERE id NOT IN (SELECT id FROM match_row ORDER BY late + progress + wrong_order + flow + contention DESC
	LIMIT (SELECT n FROM keep));
INSERT OR IGNORE INTO kept_op SELECT send FROM match_row;
INSERT OR IGNORE INTO kept_op SELECT recv FROM match_row;
INSERT OR IGNORE INTO kept_op SELECT id FROM pending_op_row;
INSERT OR IGNORE INTO kept_op SELECT min(id) FROM op_row_fields GROUP BY rank;
CREATE TEMP TABLE IF NOT EXISTS kept_rma (id INTEGER PRIMARY KEY);
DELETE FROM kept_rma;
INSERT INTO kept_rma SELECT id FROM rma_row ORDER BY coalesce(blocked, complete, span) DESC LIMIT (SELECT n FROM keep);
INSERT OR IGNORE INTO kept_rma SELECT id FROM pending_rma_row;
CREATE TEMP TABLE IF NOT EXISTS kept_fence (uid INTEGER, seq INTEGER);
DELETE FROM kept_fence;
INSERT INTO kept_fence
SELECT DISTINCT w.uid, r.seq
FROM kept_rma k CROSS JOIN rma_row_fields r ON r.id = k.id JOIN rma_window w ON w.rank = r.rank AND w.window = r.object
WHERE r.seq IS NOT NULL;
INSERT OR IGNORE INTO kept_rma
SELECT r.id
FROM rma_row_fields r JOIN rma_window w ON w.rank = r.rank AND w.window = r.object
WHERE (w.uid, r.seq) IN (SELECT uid, seq FROM kept_fence);
CREATE TEMP TABLE IF NOT EXISTS kept_io (id INTEGER PRIMARY KEY);
DELETE FROM kept_io;
INSERT INTO kept_io SELECT id FROM io_row ORDER BY coalesce(blocked, complete, span) DESC LIMIT (SELECT n FROM keep);
INSERT OR IGNORE INTO kept_io SELECT id FROM pending_io_row;
INSERT INTO run (rank, key, value)
SELECT rank, 'ops_left_out', count(*)
FROM (
	SELECT rank FROM op_row_fields WHERE id NOT IN (SELECT id FROM kept_op)
	UNION ALL SELECT rank FROM rma_row_fields WHERE id NOT IN (SELECT id FROM kept_rma)
	UNION ALL SELECT rank FROM io_row_fields WHERE id NOT IN (SELECT id FROM kept_io))
WHERE true
GROUP BY rank
ON CONFLICT (rank, key) DO UPDATE SET value = CAST(value AS INTEGER) + excluded.value;
DELETE FROM op_row WHERE id NOT IN (SELECT id FROM kept_op);
DELETE FROM rma_row WHERE id NOT IN (SELECT id FROM kept_rma);
DELETE FROM io_row WHERE id NOT IN (SELECT id FROM kept_io);
DELETE FROM busy_row WHERE (SELECT n FROM keep) = 0;
INSERT INTO off_cpu_cell (rank, thread, what, callsite, after, count, ns, max_ns)
SELECT rank, thread, what, callsite, after, count(*), sum(span), max(span)
FROM off_cpu_row_fields
WHERE (SELECT n FROM keep) = 0
GROUP BY 1, 2, 3, 4, 5
ON CONFLICT (rank, thread, what, callsite, after) DO UPDATE SET count = count + excluded.count, ns = ns + excluded.ns,
	max_ns = max(max_ns, excluded.max_ns);
DELETE FROM off_cpu_row WHERE (SELECT n FROM keep) = 0;
DELETE FROM coll_row WHERE (SELECT n FROM keep) = 0 AND done IS NULL AND id NOT IN (SELECT id FROM pending_coll_row)
	AND id NOT IN (SELECT max(id) FROM coll_row_fields GROUP BY rank, comm);
-- Left out is left out: the rows are not to be looked for in files of the receiver.
UPDATE input SET file = '' WHERE file IS NOT NULL;
