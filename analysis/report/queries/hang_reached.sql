-- SPDX-License-Identifier: BSD-3-Clause
-- reached(uid, rank, comm, seq): the last collective that each member has begun, for
-- communicators in which collectives are pending. seq -1: none; NULL: unknown, because rows
-- were lost or too many follow. The search covers the last 16384 rows of a rank, and the last
-- 64 for a collective that was recorded out of order.
CREATE TEMP TABLE reached (uid INTEGER, rank INTEGER, comm INTEGER, seq INTEGER,
		PRIMARY KEY (uid, rank)) WITHOUT ROWID;

INSERT OR IGNORE INTO reached
SELECT m.uid, m.rank, m.comm, iif(EXISTS (
		SELECT 1
		FROM run d
		WHERE d.rank = m.rank AND (d.key GLOB 'dropped_coll*'
				OR d.key IN ('lost_bytes', 'missing_chunks', 'damaged_bytes',
					'damaged_records', 'damaged_regions', 'ring_missing',
					'spool_missing', 'stopped'))
			AND CAST(d.value AS INTEGER) > 0), NULL,
		coalesce((
			SELECT max(seq)
			FROM (
				SELECT *
				FROM (
					SELECT seq
					FROM (
						SELECT comm, seq
						FROM coll_row_fields o
						WHERE o.id BETWEEN first_id(m.rank)
							AND last_id(m.rank)
						ORDER BY o.id DESC
						LIMIT 16384) o
					WHERE o.comm = m.comm
					LIMIT 1)
				UNION ALL SELECT max(seq)
				FROM (
					SELECT comm, seq
					FROM coll_row_fields o
					WHERE o.id BETWEEN first_id(m.rank) AND last_id(m.rank)
					ORDER BY o.id DESC
					LIMIT 64) o
				WHERE o.comm = m.comm
				UNION ALL SELECT max(seq)
				FROM in_call_row o
				WHERE o.id BETWEEN first_id(m.rank) AND last_id(m.rank)
					AND o.comm = m.comm)),
			iif(EXISTS (
				SELECT 1
				FROM coll_row o
				WHERE o.id BETWEEN first_id(m.rank) AND last_id(m.rank)
				LIMIT 1 OFFSET 16384), NULL, -1)))
FROM comm_row m
WHERE m.uid IN (
	SELECT c.uid
	FROM pending p
	JOIN comm_row c ON c.rank = p.rank AND c.comm = p.comm
	WHERE p.kind = 'collective');
