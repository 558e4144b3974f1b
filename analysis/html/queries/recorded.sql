-- SPDX-License-Identifier: BSD-3-Clause
-- Up to when does each rank have all rows of its calls? Only ranks that lack some. A table whose rows were limited
-- has all up to its last one. If rows were lost, the time behind the rank's last row is unknown. Pending ops have a row
-- whenever they were posted.
WITH last_row(rank, cut, ns) AS (
	SELECT rank, 'dropped_ops', (SELECT post + coalesce(span, 0) FROM op_row_fields
		WHERE id BETWEEN first_id(run.rank) AND last_id(run.rank) AND done IS NOT 0 ORDER BY id DESC LIMIT 1)
	FROM run WHERE key = 'end_ns'
	UNION ALL SELECT rank, 'dropped_collective', (SELECT post + coalesce(span, 0) FROM coll_row_fields
		WHERE id BETWEEN first_id(run.rank) AND last_id(run.rank) AND done IS NOT 0 ORDER BY id DESC LIMIT 1)
	FROM run WHERE key = 'end_ns'
	UNION ALL SELECT rank, 'dropped_rma', (SELECT enter FROM rma_row
		WHERE id BETWEEN first_id(run.rank) AND last_id(run.rank) ORDER BY id DESC LIMIT 1)
	FROM run WHERE key = 'end_ns'
	UNION ALL SELECT rank, 'dropped_io', (SELECT enter FROM io_row
		WHERE id BETWEEN first_id(run.rank) AND last_id(run.rank) ORDER BY id DESC LIMIT 1)
	FROM run WHERE key = 'end_ns'),
lacks(rank, key) AS (
	SELECT rank, key FROM run
	WHERE CAST(value AS INTEGER) > 0 AND key IN ('dropped_ops', 'dropped_collective', 'dropped_rma', 'dropped_io',
		'lost_bytes', 'missing_chunks', 'damaged_bytes', 'damaged_records', 'damaged_regions', 'ring_missing',
		'spool_missing'))
SELECT rank, min(ns) AS recorded_ns
FROM (
	SELECT l.rank, coalesce(ns, 0) AS ns FROM lacks l JOIN last_row r ON r.rank = l.rank AND r.cut = l.key
	UNION ALL
	SELECT l.rank, coalesce(max(ns), 0) FROM lacks l JOIN last_row r ON r.rank = l.rank
	WHERE l.key NOT GLOB 'dropped_*'
	GROUP BY l.rank)
GROUP BY rank
ORDER BY rank
