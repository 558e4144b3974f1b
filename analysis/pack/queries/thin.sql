-- SPDX-License-Identifier: BSD-3-Clause
-- Keeps the rows of as many messages as temp table keep says, those with the longest waits, and counts the others as
-- left out. Rows that were pending at the end stay.
CREATE TEMP TABLE IF NOT EXISTS kept_op (id INTEGER PRIMARY KEY);
DELETE FROM kept_op;
DELETE FROM match_row WHERE id NOT IN (SELECT id FROM match_row ORDER BY late + progress + wrong_order + flow + contention DESC
	LIMIT (SELECT n FROM keep));
INSERT OR IGNORE INTO kept_op SELECT send FROM match_row;
INSERT OR IGNORE INTO kept_op SELECT recv FROM match_row;
INSERT OR IGNORE INTO kept_op SELECT id FROM pending_op_row;
INSERT INTO run (rank, key, value)
SELECT rank, 'ops_left_out', count(*) FROM op_row_fields WHERE id NOT IN (SELECT id FROM kept_op) GROUP BY rank
ON CONFLICT (rank, key) DO UPDATE SET value = CAST(value AS INTEGER) + excluded.value;
DELETE FROM op_row WHERE id NOT IN (SELECT id FROM kept_op);
DELETE FROM busy_row WHERE (SELECT n FROM keep) = 0;
DELETE FROM off_cpu_row WHERE (SELECT n FROM keep) = 0;
DELETE FROM coll_row WHERE (SELECT n FROM keep) = 0 AND id NOT IN (SELECT id FROM pending_coll_row);
