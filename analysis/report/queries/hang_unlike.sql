-- SPDX-License-Identifier: BSD-3-Clause
-- unlike(rank, comm, op_id, call, text): collectives that have not returned, and the ranks that
-- called another collective under the same number of the communicator. who(...): all ranks
-- known to have called it. A rank that has left it is found only if this was one of its last 64
-- collectives.
CREATE TEMP TABLE who (uid INTEGER, seq INTEGER, rank INTEGER, comm INTEGER, call TEXT,
		inside INTEGER, PRIMARY KEY (uid, seq, rank)) WITHOUT ROWID;

INSERT OR IGNORE INTO who
SELECT c.uid, op_id, p.rank, p.comm, p.call, 1
FROM pending p
JOIN comm_row c ON c.rank = p.rank AND c.comm = p.comm
WHERE kind = 'collective' AND uid NOT NULL;

INSERT OR IGNORE INTO who
SELECT *
FROM (
	SELECT g.uid, g.seq, m.rank, m.comm,
		(
		SELECT name
		FROM call_name
		WHERE id = (
			SELECT call_id
			FROM (
				SELECT call_id, comm, seq
				FROM coll_row_fields o
				WHERE o.id BETWEEN first_id(m.rank) AND last_id(m.rank)
				ORDER BY o.id DESC
				LIMIT 64) o
			WHERE o.comm = m.comm AND o.seq = g.seq
			LIMIT 1)) AS call, 0
	FROM (SELECT DISTINCT uid, seq FROM who LIMIT 64) g
	JOIN comm_row m ON m.uid = g.uid
	WHERE NOT EXISTS (
		SELECT 1
		FROM who w
		WHERE w.uid = g.uid AND w.seq = g.seq AND w.rank = m.rank))
WHERE call NOT NULL;

CREATE TEMP TABLE unlike AS
SELECT w.rank, w.comm, w.seq AS op_id, w.call,
	(
	SELECT group_concat(text, ', ')
	FROM (
		SELECT iif(count(*) = 1, 'rank ', 'ranks ') || rank_list(rank) || ' called '
			|| call AS text
		FROM (
			SELECT rank, call
			FROM who o
			WHERE o.uid = w.uid AND o.seq = w.seq
			ORDER BY rank)
		WHERE replace(call || ' ', '_c ', ' ') <> replace(w.call || ' ', '_c ', ' ')
		GROUP BY call
		ORDER BY min(rank))) AS text
FROM (
	SELECT *
	FROM who
	WHERE inside AND (uid, seq) IN (
		SELECT uid, seq
		FROM who
		GROUP BY uid, seq
		HAVING count(DISTINCT replace(call || ' ', '_c ', ' ')) > 1)
	ORDER BY rank
	LIMIT 64) w;
