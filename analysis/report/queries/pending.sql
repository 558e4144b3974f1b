-- SPDX-License-Identifier: BSD-3-Clause
-- What is pending, and why: of a collective also the members that have not begun it.
WITH row AS (SELECT * FROM pending_row)
SELECT rank, call, kind, peer, tag, bytes, age_ns, CASE
	WHEN in_call THEN 'in call'
	WHEN cancelled THEN 'cancelled'
	ELSE 'posted' END AS state, place AS "where", CASE
	WHEN tag NOT NULL THEN coalesce((
			SELECT w.text
			FROM wrong w
			WHERE w.rank = row.rank AND w.op_id = coalesce(row.op_id, 0)), 'while '
			|| (
			SELECT m.text
			FROM misfit m
			WHERE m.rank = row.rank AND m.op_id = row.op_id))
	WHEN kind = 'collective' THEN nullif(ltrim(coalesce('not begun by '
					|| (
					SELECT iif(count(*) = 1, 'rank ', 'ranks ')
						|| rank_list(rank)
					FROM (
						SELECT m.rank
						FROM comm_row c
						JOIN reached m ON m.uid = c.uid
						WHERE c.rank = row.rank AND c.comm = row.comm
							AND m.seq < row.op_id
						ORDER BY m.rank)), '')
				|| coalesce(', where '
					|| (
					SELECT u.text
					FROM unlike u
					WHERE u.rank = row.rank AND u.comm = row.comm
						AND u.op_id = row.op_id), ''), ', '), '')
	END AS why
FROM (SELECT * FROM row ORDER BY age_ns DESC, rank, op_id LIMIT :top) row
