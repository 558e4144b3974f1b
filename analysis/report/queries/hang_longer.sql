-- SPDX-License-Identifier: BSD-3-Clause
-- Adds to misfit the receives that are shorter than their message. Messages and receives are
-- matched by their order. exact: ranks on which this order is certain. No row of theirs is
-- missing, no probe took a message, no receive was cancelled or freed, and no receive from any
-- rank or with any tag is pending. An op inside a call has bytes only if its datatype was known
-- before.
CREATE TEMP TABLE exact (rank INTEGER PRIMARY KEY);

INSERT INTO exact
SELECT rank
FROM (SELECT rank FROM held UNION SELECT rank FROM run WHERE key = 'clean_finalize' AND value) h
WHERE NOT EXISTS (
	SELECT 1
	FROM run d
	WHERE d.rank = h.rank AND (d.key GLOB 'dropped_ops'
			OR d.key IN ('lost_bytes', 'missing_chunks', 'damaged_bytes',
				'damaged_records', 'damaged_regions', 'ring_missing',
				'spool_missing', 'stopped')) AND CAST(d.value AS INTEGER) > 0)
	AND NOT EXISTS (
	SELECT 1
	FROM run u
	WHERE u.rank = h.rank AND u.key = 'unrecorded_ns' AND CAST(u.value AS INTEGER) > 0)
	AND NOT EXISTS (
	SELECT 1
	FROM match_info
	WHERE key = 'order_unsure' AND CAST(value AS INTEGER) > 0)
	AND ((SELECT count(*) FROM pending WHERE kind IN ('send', 'recv') AND NOT cancelled) - (
		SELECT coalesce(sum(ops), 0)
		FROM match_summary
		WHERE reason = 'pending')) > 0;

DELETE FROM exact
WHERE rank IN (
	SELECT rank
	FROM call_cell
	JOIN call_name ON id = call
	WHERE name IN ('MPI_Mprobe', 'MPI_Improbe', 'MPI_Cancel', 'MPI_Request_free')
	UNION SELECT o.rank
	FROM pending_op_row
	JOIN op_row_fields o USING (id)
	WHERE o.any_source OR o.any_tag);

INSERT INTO misfit
SELECT r.rank, r.op_id, 'bytes', s.rank, s.call,
	t.place, NULL, NULL, s.bytes
FROM (
	SELECT send, recv
	FROM match_row
	WHERE EXISTS (SELECT 1 FROM exact) AND recv IN (SELECT id FROM pending_op_row)) m
JOIN op_row_fields r ON r.id = m.recv AND (r.bytes > 0 OR r.span NOT NULL)
JOIN op_row_fields s ON s.id = m.send AND s.bytes > r.bytes
LEFT JOIN site t ON t.rank = s.rank AND t.callsite = s.callsite
WHERE r.rank IN (SELECT rank FROM exact) AND s.rank IN (SELECT rank FROM exact);
