-- SPDX-License-Identifier: BSD-3-Clause
-- unlike: collectives that have not returned, and the first ranks that called another one under
-- the same number of the communicator. more_calls: how many other ones there are besides.
-- who(...): all ranks known to have called it. A rank that has left it is found only if this was one of its last 64
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
SELECT rank, comm, op_id, call, other_ranks, other_count, other_call,
	nullif(calls - 1, 0) AS more_calls
FROM (
	SELECT w.rank, w.comm, w.seq AS op_id, w.call, rank_list(o.rank) AS other_ranks,
		count(*) AS other_count, o.call AS other_call,
		row_number() OVER (PARTITION BY w.rank, w.comm, w.seq ORDER BY min(o.rank)) AS
		nth, count(*) OVER (PARTITION BY w.rank, w.comm, w.seq) AS calls
	FROM (
		SELECT *
		FROM who
		WHERE inside AND (uid, seq) IN (
			SELECT uid, seq
			FROM who
			GROUP BY uid, seq
			HAVING count(DISTINCT replace(call || ' ', '_c ', ' ')) > 1)
		ORDER BY rank
		LIMIT 64) w
	JOIN who o ON o.uid = w.uid AND o.seq = w.seq
		AND replace(o.call || ' ', '_c ', ' ') <> replace(w.call || ' ', '_c ', ' ')
	GROUP BY w.rank, w.comm, w.seq, w.call, o.call)
WHERE nth = 1
ORDER BY rank;
