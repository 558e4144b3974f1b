-- SPDX-License-Identifier: BSD-3-Clause
-- The same in words. alike: ops that differ only in their age share a line, unless more is
-- known about one of them. The reason of a hang is shown in full.
WITH row AS (SELECT * FROM pending_row),
	alike AS (
	SELECT rank, min(op_id) AS op_id, call, kind, peer, tag, comm, bytes,
		max(least_ns) AS least_ns, max(age_ns) AS age_ns, in_call, cancelled, place, runs,
		count(*) AS n
	FROM row
	GROUP BY rank, call, kind, peer, tag, comm, bytes, in_call, cancelled, place, runs,
		iif(kind = 'collective'
			OR EXISTS (
			SELECT 1
			FROM misfit m
			WHERE m.rank = row.rank AND m.op_id = row.op_id)
			OR EXISTS (
			SELECT 1
			FROM wrong w
			WHERE w.rank = row.rank AND w.op_id = row.op_id), op_id, 0))
SELECT text
FROM (
	SELECT printf('rank %d %s %s', rank, iif(in_call, 'in', 'posted'), call) || CASE kind
		WHEN 'send' THEN coalesce(' to rank ' || peer, '')
		WHEN 'recv' THEN coalesce(' from rank ' || peer,
				iif(why LIKE 'from %', '', ' from any rank'))
		WHEN 'call' THEN iif(tag IS NULL, '',
				coalesce(' from rank ' || peer,
					iif(why LIKE 'from %', '', ' from any rank')))
		WHEN 'collective' THEN coalesce(' with root ' || peer, '')
			|| printf(' #%d of %s', op_id,
				coalesce((
					SELECT nullif(name, '')
					FROM comm_row c
					WHERE c.rank = row.rank AND c.comm = row.comm),
					'communicator ' || comm))
		ELSE coalesce(' with root ' || peer, '') END || CASE
		WHEN why LIKE 'with tag %' THEN ''
		WHEN tag = -1 THEN ', any tag'
		ELSE coalesce(', tag ' || tag, '') END || coalesce(', ' || why, '')
		-- An op inside a call has bytes only if its datatype was known before.
		|| iif(bytes > 0 OR NOT in_call, ', ' || size(bytes), '')
		|| iif(n > 1, printf(', %,d times', n), '') || CASE
		WHEN cancelled THEN ', cancelled'
		WHEN least_ns > 0 THEN iif(runs, ', for ', ', for at least ')
			|| duration(least_ns)
			|| iif(age_ns > least_ns, ', at most ' || duration(age_ns), '')
		WHEN age_ns > 0 THEN ', for at most ' || duration(age_ns)
		ELSE '' END || ': ' || coalesce(place, 'unknown place') AS text
	FROM (
		SELECT *, CASE
			WHEN tag NOT NULL
				THEN coalesce((
					SELECT w.text
					FROM wrong w
					WHERE w.rank = row.rank
						AND w.op_id = coalesce(row.op_id, 0)), 'while '
					|| (
					SELECT m.text
					FROM misfit m
					WHERE m.rank = row.rank AND m.op_id = row.op_id))
			WHEN kind = 'collective'
				THEN nullif(ltrim(coalesce('not begun by '
							|| (
							SELECT iif(count(*) = 1, 'rank ',
									'ranks ')
								|| rank_list(rank)
							FROM (
								SELECT m.rank
								FROM comm_row c
								JOIN reached m ON m.uid = c.uid
								WHERE c.rank = row.rank
									AND c.comm = row.comm
									AND m.seq < row.op_id
								ORDER BY m.rank)), '')
						|| coalesce(', where '
							|| (
							SELECT u.text
							FROM unlike u
							WHERE u.rank = row.rank
								AND u.comm = row.comm
								AND u.op_id = row.op_id), ''),
						', '), '') END AS why
		FROM (
			SELECT *
			FROM alike
			ORDER BY cancelled, iif(cancelled, 0, age_ns) DESC, rank, op_id
			LIMIT :top) row) row)
UNION ALL SELECT printf('... and %,d more; --top shows them', count(*) - :top)
FROM alike
HAVING count(*) > :top
