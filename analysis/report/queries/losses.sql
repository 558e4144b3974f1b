-- SPDX-License-Identifier: BSD-3-Clause
-- What was lost? One row for each loss: its name, the ranks it struck, how much (NULL: not a
-- number), and a sentence.
-- nranks: the number of ranks in the world; more than rows can have is damage.
WITH RECURSIVE nranks(n) AS (
	SELECT coalesce(max(CAST(value AS INTEGER)), 0)
	FROM run
	WHERE key = 'world_size' AND CAST(value AS INTEGER) <= 1048576),
	expected(rank) AS (
	SELECT 0
	WHERE (SELECT n FROM nranks) > 0
	UNION ALL SELECT rank + 1
	FROM expected
	WHERE rank + 1 < (SELECT n FROM nranks)),
	unclean AS (
	SELECT r.rank
	FROM run r
	JOIN input i USING (rank)
	WHERE key = 'clean_finalize' AND value = 0 AND state <> 'unfinished'
		AND rank NOT IN (SELECT rank FROM run WHERE key = 'in_init')
	ORDER BY 1),
	only(rank) AS (SELECT max(rank) FROM at_end WHERE NOT calls HAVING count(*) = 1),
	-- Empty if rows were left out: the last row need not be the last message.
	last_call(call, callsite) AS (
	SELECT call_id, callsite
	FROM (
		SELECT *
		FROM (
			SELECT call_id, o.callsite, post
			FROM only
			CROSS JOIN op_row_fields o ON o.id BETWEEN first_id(only.rank)
				AND last_id(only.rank)
			ORDER BY id DESC
			LIMIT 1)
		UNION ALL SELECT *
		FROM (
			SELECT call_id, o.callsite, post
			FROM only
			CROSS JOIN coll_row_fields o ON o.id BETWEEN first_id(only.rank)
				AND last_id(only.rank)
			ORDER BY id DESC
			LIMIT 1))
	WHERE NOT EXISTS (
		SELECT 1
		FROM run, only USING (rank)
		WHERE CAST(value AS INTEGER) > 0
			AND (key = 'ops_left_out' OR key GLOB 'dropped_*'))
	ORDER BY post DESC
	LIMIT 1),
	-- o: the order in which they are shown.
	lost(o, loss, ranks, count, unit, text) AS (
	SELECT 1, 'processes_not_recorded', NULL, count(*), 'processes',
		printf('%d of %d processes that tryst run started %s recorded: %s', count(*),
			(SELECT count(*) FROM started), iif(count(*) = 1, 'is not', 'are not'),
			why) || printf(' (%s)', short_file(max(program)))
	FROM started
	WHERE NOT loaded
	GROUP BY why
	UNION ALL SELECT 1, 'worlds_apart', NULL, processes, 'processes', text
	FROM apart
	-- None if one rank's database was opened alone: its input has no file.
	UNION ALL SELECT 2, 'ranks_missing', rank_list(rank), count(*), 'ranks',
		'left no file: nothing is known'
	FROM (
		SELECT rank
		FROM expected
		WHERE rank NOT IN (SELECT rank FROM input)
			AND EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL)
		ORDER BY rank)
	GROUP BY NULL
	UNION ALL SELECT 2, 'ranks_not_read', NULL, n - (SELECT count(*) FROM known), 'ranks',
		'one file of a run of ' || n || ' ranks: nothing is said of the others'
	FROM nranks
	WHERE n > (SELECT count(*) FROM known)
		AND NOT EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL)
	UNION ALL SELECT 2, 'all', NULL, NULL, NULL, 'nothing was recorded: no rank left a file'
	WHERE NOT EXISTS (SELECT 1 FROM run) AND NOT EXISTS (SELECT 1 FROM started)
	UNION ALL SELECT 2, 'all_calls', NULL, NULL, NULL, 'no call was recorded'
	FROM outlook
	WHERE alone = 1 AND NOT EXISTS (SELECT 1 FROM run WHERE key = 'in_init')
	UNION ALL SELECT 3, 'ranks_left_out', rank_list(rank), count(*), 'ranks', 'left out: '
		|| reason
	FROM (SELECT rank, reason FROM input WHERE state = 'left_out' ORDER BY rank)
	GROUP BY reason
	UNION ALL SELECT 4, 'ranks_damaged', rank_list(rank), count(*), 'ranks',
		'damaged, used as far as it goes: ' || reason
	FROM (SELECT rank, reason FROM input WHERE state = 'partial' ORDER BY rank)
	GROUP BY reason
	UNION ALL SELECT 5, 'ranks_running', rank_list(rank), count(*), 'ranks',
		'still running as far as can be seen: all that follows is so far'
	FROM (SELECT rank FROM input WHERE state = 'unfinished' ORDER BY rank)
	GROUP BY NULL
	-- MPI_Abort may end by exit(), too.
	UNION ALL SELECT iif(exited, 5.9, 6), iif(exited, 'ranks_exited', 'ranks_not_finalized'),
		rank_list(rank), count(*), 'ranks',
		iif(exited, 'called exit(), or returned from main, without MPI_Finalize',
			'ended without MPI_Finalize') || '; what was recorded is here'
	FROM (
		SELECT rank, rank IN (SELECT rank FROM run WHERE key = 'exited')
			AND rank NOT IN (SELECT rank FROM at_end WHERE call = 'MPI_Abort') AS
			exited
		FROM unclean
		ORDER BY rank)
	GROUP BY exited
	UNION ALL SELECT 6.02, 'ranks_in_init', rank_list(rank), count(*), 'ranks',
		iif(state = 'unfinished', 'in MPI_Init: nothing is recorded before it returns',
			'ended in MPI_Init: nothing was recorded')
	FROM (
		SELECT rank, state
		FROM run
		JOIN input USING (rank)
		WHERE key = 'in_init'
		ORDER BY rank)
	GROUP BY state = 'unfinished'
	UNION ALL SELECT 6.05, 'time_after_last_record', rank_list(rank), max(most_ns - least_ns),
		'ns', printf('what came after the last record is not known%s: run time and all '
			|| 'shares leave it out',
			coalesce(', for at most ' || duration(max(most_ns - least_ns)), ''))
	FROM (SELECT * FROM unseen_end ORDER BY rank)
	GROUP BY most_ns IS NULL
	UNION ALL SELECT 6.1, 'aborted', rank, 1, 'ranks',
		printf('called %s at %s', call, coalesce(place, 'an unknown place'))
	FROM at_end
	LEFT JOIN site USING (rank, callsite)
	WHERE call = 'MPI_Abort'
	-- If one rank is outside MPI while others wait inside, look at this one. A rank that still
	-- runs is named only if the others have waited long.
	UNION ALL SELECT 6.2, 'outside_mpi', e.rank, 1, 'ranks',
		printf(iif(runs, 'is outside MPI', 'was outside MPI at its end')
			|| ', %d other%s inside', others, iif(others = 1, '', 's'))
		|| coalesce('; its last message or collective: '
			|| (
			SELECT (SELECT name FROM call_name n WHERE n.id = l.call) || ' at '
				|| coalesce(s.place, 'an unknown place')
			FROM last_call l
			LEFT JOIN site s ON s.rank = e.rank AND s.callsite = l.callsite), '')
	FROM at_end e
	JOIN (SELECT count(*) AS others FROM at_end WHERE calls)
	WHERE NOT calls AND (NOT runs OR (SELECT max(least_ns) FROM open_call) >= 1000000000)
		AND others AND (SELECT count(*) FROM at_end WHERE NOT calls) = 1
		AND NOT EXISTS (SELECT 1 FROM at_end WHERE call = 'MPI_Abort')
	UNION ALL SELECT 7, key, rank_list(rank), sum(n), 'rows',
		printf('%,d rows of %s were not recorded%s (profiles are complete%s)', sum(n),
			substr(key, 9), coalesce(', from ' || duration(min(kept)) || ' on', ''),
			iif(count(why) = count(*), '', '; --max-ops keeps more'))
	FROM (
		SELECT rank, key, CAST(value AS INTEGER) AS n,
			(
			SELECT w.value
			FROM run w
			WHERE w.rank = run.rank AND w.key = 'lost_reason') AS why, CASE key
			WHEN 'dropped_ops'
				THEN (
			SELECT post
			FROM op_row_fields o
			WHERE o.id BETWEEN first_id(run.rank) AND last_id(run.rank)
				AND done IS NOT 0
			ORDER BY id DESC
			LIMIT 1)
			WHEN 'dropped_collective'
				THEN (
			SELECT post
			FROM coll_row_fields o
			WHERE o.id BETWEEN first_id(run.rank) AND last_id(run.rank)
				AND done IS NOT 0
			ORDER BY id DESC
			LIMIT 1) END AS kept
		FROM run
		WHERE key GLOB 'dropped_?*' AND n > 0
		ORDER BY rank)
	GROUP BY key
	UNION ALL SELECT 8, 'lost_bytes', rank_list(rank), sum(n), 'B',
		printf('%,d bytes of records could not be written%s', sum(n),
			coalesce(': ' || why, ''))
	FROM (
		SELECT rank, CAST(value AS INTEGER) AS n,
			(
			SELECT w.value
			FROM run w
			WHERE w.rank = run.rank AND w.key = 'lost_reason') AS why
		FROM run
		WHERE key = 'lost_bytes' AND n > 0
		ORDER BY rank)
	GROUP BY why
	UNION ALL SELECT 9, 'ranks_stopped', rank_list(rank), count(*), 'ranks',
		'recording stopped before the end'
	FROM (SELECT rank FROM run WHERE key = 'stopped' AND value > 0 ORDER BY rank)
	GROUP BY NULL
	UNION ALL SELECT 9.1, 'time_not_recorded', rank_list(rank), sum(ns), 'ns',
		printf('nothing was recorded for %s, %.0f %% of their time, between '
			|| 'MPI_Pcontrol(0) and (1): blame and path take it for computing',
			duration(sum(ns)), 100.0 * sum(ns) / sum(run))
	FROM (
		SELECT u.rank, CAST(u.value AS INTEGER) AS ns, CAST(e.value AS INTEGER) AS run
		FROM run u
		JOIN run e USING (rank)
		WHERE u.key = 'unrecorded_ns' AND e.key = 'end_ns' AND ns > 0
		ORDER BY u.rank)
	HAVING count(*)
	UNION ALL SELECT 9.2, 'calls_left', rank_list(rank), sum(n), 'calls',
		printf('%,d calls were left by exceptions or jumps: they are counted, but what '
			|| 'they took, and what they sent, received or completed, is not known',
			sum(n))
	FROM (
		SELECT rank, CAST(value AS INTEGER) AS n
		FROM run
		WHERE key = 'calls_left' AND n > 0
		ORDER BY rank)
	HAVING count(*)
	UNION ALL SELECT 9.3, 'calls_failed',
		(
		SELECT rank_list(rank)
		FROM (SELECT DISTINCT rank FROM call_cell WHERE errors ORDER BY rank)), sum(n),
		'calls', printf('%,d call%s returned an error: %s%s; what failed has no row, '
			|| 'but for messages that were cut', sum(n), iif(sum(n) = 1, '', 's'),
			group_concat(printf('%,d of %s at %s', n, name,
					coalesce(place, 'an unknown place')), ', ') FILTER (WHERE
				place_nr <= 3), iif(count(*) > 3, ', ...', ''))
	FROM (
		SELECT *, row_number() OVER (ORDER BY n DESC, name, place) AS place_nr
		FROM (
			SELECT name, place, sum(errors) AS n
			FROM call_cell c
			JOIN call_name ON id = call
			LEFT JOIN site USING (rank, callsite)
			WHERE errors
			GROUP BY name, place)
		ORDER BY place_nr)
	HAVING count(*)
	UNION ALL SELECT 10, key, rank_list(rank), sum(n), CASE key
		WHEN 'damaged_bytes' THEN 'B'
		WHEN 'missing_chunks' THEN 'chunks'
		WHEN 'damaged_records' THEN 'records'
		WHEN 'damaged_regions' THEN 'regions'
		ELSE 'ranks' END, CASE key
		WHEN 'ring_missing'
			THEN 'the ring is missing or damaged: what it held last is lost'
		WHEN 'spool_missing'
			THEN 'the spool is missing or damaged: only the ring was left'
		WHEN 'missing_chunks' THEN sum(n) || ' chunks of the spool are missing'
		ELSE sum(n) || ' ' || replace(key, '_', ' ') || ' in ring or spool' END
	FROM (
		SELECT rank, key, CAST(value AS INTEGER) AS n
		FROM run
		WHERE n > 0 AND key IN ('damaged_bytes', 'missing_chunks', 'damaged_records',
				'damaged_regions', 'ring_missing', 'spool_missing')
		ORDER BY rank)
	GROUP BY key
	UNION ALL SELECT 11, 'messages_not_predicted', NULL, n, 'ops',
		printf('%,d of %,d sends and receives have no prediction, %s: of %s in them it '
			|| 'is not known how much is waiting, and waits, causes, blame and '
			|| 'path are lower bounds', n, messages,
			iif(far = n, 'since links to processes of other worlds are not measured',
				'for want of link parameters'
				|| coalesce((
					SELECT CASE value
						WHEN 'off' THEN ' (TRYST_CALIBRATE=off)'
						WHEN 'quick'
							THEN ' (was too much else running to '
							|| 'measure them in MPI_Init? tryst '
							|| 'calibrate and --links help)' END
					FROM run
					WHERE key = 'TRYST_CALIBRATE'
					LIMIT 1), '')), duration(ns))
	FROM (
		SELECT sum(ops) AS n, sum(far) AS far, sum(ns) AS ns,
			(SELECT sum(count) FROM wait_cell_fields WHERE peer >= 0) AS messages
		FROM unpredicted)
	WHERE n > 0
	UNION ALL SELECT 12, 'ops_left_out', rank_list(rank), sum(n), 'rows',
		printf('%,d op rows that did not wait are in the rank files only', sum(n))
	FROM (
		SELECT rank, CAST(value AS INTEGER) AS n
		FROM run
		WHERE key = 'ops_left_out'
		ORDER BY rank)
	GROUP BY NULL
	UNION ALL SELECT 13, key, NULL, value, 'messages',
		printf('%,d message%s to be received before %s sent: clocks differ by more '
			|| 'than is known', value, iif(value = 1, ' seems', 's seem'),
			iif(value = 1, 'it was', 'they were'))
	FROM match_info
	WHERE key = 'violations' AND value > 0
	UNION ALL SELECT 14, key, NULL, value, 'ranks',
		printf('the clocks of %,d ranks could not be compared: waits between hosts are '
			|| 'estimates', value)
	FROM match_info
	WHERE key = 'clocks_unknown' AND value > 0
	UNION ALL SELECT 15, key, NULL, value, 'messages',
		printf('%,d message%s may belong to another one of several threads', value,
			iif(value = 1, '', 's'))
	FROM match_info
	WHERE key = 'order_unsure' AND value > 0
	UNION ALL SELECT 16, key, NULL, value, 'messages',
		printf('%,d message%s different sizes on both sides', value,
			iif(value = 1, ' has', 's have'))
	FROM match_info
	WHERE key = 'bytes_differ' AND value > 0
	UNION ALL SELECT 17, key, NULL, value, 'collectives',
		printf('%,d collective%s members', value, iif(value = 1, ' lacks', 's lack'))
	FROM match_info
	WHERE key = 'collectives_cut' AND value > 0
	UNION ALL SELECT 18, key, NULL, value, 'waits',
		printf('%,d wait%s a history too long to be followed: blame for %s is incomplete',
			value, iif(value = 1, ' has', 's have'), iif(value = 1, 'it', 'them'))
	FROM match_info
	WHERE key = 'blame_cut' AND value > 0
	UNION ALL SELECT 19, key, NULL, value, 'waits',
		printf('%,d wait%s became known too late to be followed: blame leaves %s out',
			value, iif(value = 1, '', 's'), iif(value = 1, 'it', 'them'))
	FROM match_info
	WHERE key = 'blame_left_out' AND value > 0)
SELECT loss, ranks, count, unit,
	iif(ranks IS NULL, '', iif(ranks GLOB '*[^0-9]*', 'ranks ', 'rank ') || ranks || ': ')
	|| text AS text
FROM lost
ORDER BY o
