-- SPDX-License-Identifier: BSD-3-Clause
-- The same in words, a line each.
SELECT coalesce((SELECT text FROM programs), 'unknown program') AS text
UNION ALL SELECT printf('%d of %d ranks%s; MPI_Init returned on none of them',
		(SELECT count(*) FROM known), (SELECT n FROM ranks_in_all),
		iif(n, printf(' on %d host%s', n, iif(n = 1, '', 's')), ''))
FROM hosts, none_came_out
WHERE so
UNION ALL SELECT printf('%d of %d ranks on %d host%s, %s, ran %s%s%s after MPI_Init',
		(SELECT count(*) FROM known), (SELECT n FROM ranks_in_all), (SELECT n FROM hosts),
		iif((SELECT n FROM hosts) = 1, '', 's'),
		coalesce((SELECT text FROM mpi_library), 'unknown MPI'),
		iif(unseen AND duration(max(most, last)) IS NOT duration(last), 'at least ', ''),
		coalesce(duration(last), 'an unknown time'),
		iif(unseen, coalesce(' and at most '
				|| nullif(duration(max(most, last)), duration(last)), ''), ''))
FROM (SELECT (SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns') AS last),
	(
	SELECT count(*) AS unseen, iif(count(*) = count(most_ns), max(most_ns), NULL) AS most
	FROM unseen_end), none_came_out
WHERE NOT so
UNION ALL SELECT printf('Ranks take turns: %s: waits are partly the scheduler''s',
		group_concat(printf('%d share %d processor%s on %s', ranks, cpus,
				iif(cpus = 1, '', 's'), host), '; '))
FROM (
	SELECT h.value AS host, count(*) AS ranks, cpu_count(c.value) AS cpus
	FROM run h
	JOIN run c USING (rank)
	WHERE h.key = 'host' AND c.key = 'core_map'
	GROUP BY h.value
	HAVING count(*) > cpu_count(c.value)
	ORDER BY h.value
	LIMIT 3)
HAVING count(*)
UNION ALL SELECT printf('Ranks had no processor for %s in which they could have run, %.0f %% '
		|| 'of their time: others had it', duration(waited), 100.0 * waited / run)
FROM (
	SELECT (SELECT sum(CAST(value AS INTEGER)) FROM run WHERE key = 'cpu_wait_ns') AS waited,
		(SELECT sum(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns') AS run)
WHERE waited * 20 > run
UNION ALL SELECT printf('Ranks slept for at least %s outside MPI, %.0f %% of their time: that '
		|| 'is no computing, though it counts as such; between polls it is waiting',
		duration(slept), 100.0 * slept / run)
FROM (SELECT slept FROM slept), (SELECT sum(ns) AS run FROM rank_time WHERE part = 0)
WHERE slept * 20 > run
UNION ALL SELECT 'Processes that were spawned have their own reports: '
	|| group_concat(path, ', ')
FROM world
GROUP BY NULL
UNION ALL SELECT CASE
	WHEN EXISTS (SELECT 1 FROM match_info)
		THEN (
	SELECT printf('%,d message%s seen from both sides', value, iif(value = 1, '', 's'))
	FROM match_info
	WHERE key = 'messages') || coalesce((
			SELECT '; operations without partner: '
				|| group_concat(printf('%,d %s', n, reason), ', ')
			FROM (
				SELECT reason, sum(ops) AS n
				FROM match_summary
				WHERE NOT matched
				GROUP BY reason
				ORDER BY 2 DESC)
			HAVING count(*)), '')
	ELSE 'One side of each message alone: causes are what that side can tell (tryst analyze '
	|| 'puts both together)' END
WHERE EXISTS (SELECT 1 FROM run)
UNION ALL SELECT printf('Nobody received %,d message%s, sent by rank%s %s%s', n,
		iif(n = 1, '', 's'), iif(ranks GLOB '*[^0-9]*', 's', ''), ranks,
		coalesce((
			SELECT printf('; the first one by %s at %s to rank %d, tag %d, %s', call,
					coalesce(place, 'unknown'), peer, tag, size(bytes))
			FROM unmatched a
			CROSS JOIN op o ON o.op_key = a.op_key
			LEFT JOIN site s ON s.rank = a.rank AND s.callsite = o.callsite
			WHERE reason = 'not_received'
			ORDER BY post_enter_ns, a.op_key
			LIMIT 1), ''))
FROM (
	SELECT sum(ops) AS n, rank_list(rank) AS ranks
	FROM (SELECT rank, ops FROM match_summary WHERE reason = 'not_received' ORDER BY rank))
WHERE n
