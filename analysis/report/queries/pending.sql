-- SPDX-License-Identifier: BSD-3-Clause
-- What is pending, and why? For people (:for_data 0), ops that differ only in their age share a
-- row, unless more is known about one of them. of_all: the number of rows without :top. missing:
-- the members that have not begun a collective.
WITH numbered AS (SELECT *, row_number() OVER () AS nth FROM pending_row),
	alike AS (
	SELECT rank, min(op_id) AS op_id, call, kind, peer, tag, comm, bytes,
		max(least_ns) AS least_ns, max(age_ns) AS age_ns, in_call, cancelled, place, runs,
		count(*) AS times, count(*) OVER () AS of_all
	FROM numbered n
	GROUP BY rank, call, kind, peer, tag, comm, bytes, in_call, cancelled, place, runs, CASE
		WHEN :for_data THEN nth
		WHEN kind = 'collective'
			OR EXISTS (
			SELECT 1
			FROM misfit m
			WHERE m.rank = n.rank AND m.op_id = n.op_id)
			OR EXISTS (
			SELECT 1
			FROM wrong w
			WHERE w.rank = n.rank AND w.op_id = n.op_id) THEN op_id
		ELSE 0 END
	ORDER BY iif(:for_data, 0, cancelled), iif(:for_data IS NOT 1 AND cancelled, 0, age_ns) DESC,
		rank, op_id
	LIMIT :top)
SELECT a.rank, a.call, kind, peer, tag, bytes, age_ns, CASE
	WHEN in_call THEN 'in call'
	WHEN cancelled THEN 'cancelled'
	ELSE 'posted' END AS state, place AS "where", a.op_id, in_call, cancelled, least_ns,
	coalesce(runs, 0) AS runs, times, of_all, nullif(c.name, '') AS comm_name,
	iif(c.name <> '', NULL, a.comm) AS comm_number, error, sends, not_there, members, differs,
	from_rank, from_call, from_place, from_tag, from_comm, from_bytes,
	(
	SELECT count(*)
	FROM reached r
	WHERE kind = 'collective' AND r.uid = c.uid AND r.seq < a.op_id) AS missing_count,
	(
	SELECT rank_list(rank)
	FROM (
		SELECT r.rank
		FROM reached r
		WHERE kind = 'collective' AND r.uid = c.uid AND r.seq < a.op_id
		ORDER BY r.rank)) AS missing, other_ranks, other_count, other_call,
	more_calls
FROM alike a
LEFT JOIN comm_row c ON c.rank = a.rank AND c.comm = a.comm
LEFT JOIN wrong w ON tag NOT NULL AND w.rank = a.rank AND w.op_id = coalesce(a.op_id, 0)
LEFT JOIN misfit m ON tag NOT NULL AND m.rank = a.rank AND m.op_id = a.op_id
LEFT JOIN unlike u ON kind = 'collective' AND u.rank = a.rank AND u.comm = a.comm
	AND u.op_id = a.op_id
