-- SPDX-License-Identifier: BSD-3-Clause
-- What was lost? One row for each loss: its name, the ranks it struck, how much (NULL: not a
-- number), and what is known of it. state tells cases of a loss apart; of: of how many, or how
-- many of them at `place`; more: how many other places.
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
	lost(o, loss, nranks, ranks, count, unit, of, more, share_pct, ns, state, reason, name,
		place) AS (
	SELECT 1, 'processes_not_recorded', NULL, NULL, count(*), 'processes',
		(SELECT count(*) FROM started), NULL, NULL, NULL, NULL, why,
		short_file(max(program)), NULL
	FROM started
	WHERE NOT loaded
	GROUP BY why
	UNION ALL SELECT 1, 'worlds_apart', NULL, NULL, processes, 'processes', NULL, NULL, NULL,
		NULL, NULL, text, NULL, NULL
	FROM apart
	-- None if one rank's database was opened alone: its input has no file.
	UNION ALL SELECT 2, 'ranks_missing', count(*), rank_list(rank), count(*), 'ranks', NULL,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL
	FROM (
		SELECT rank
		FROM expected
		WHERE rank NOT IN (SELECT rank FROM input)
			AND EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL)
		ORDER BY rank)
	GROUP BY NULL
	UNION ALL SELECT 2, 'ranks_not_read', NULL, NULL, n - (SELECT count(*) FROM known),
		'ranks', n, NULL, NULL, NULL, NULL, NULL, NULL, NULL
	FROM nranks
	WHERE n > (SELECT count(*) FROM known)
		AND NOT EXISTS (SELECT 1 FROM input WHERE file IS NOT NULL)
	UNION ALL SELECT 2, 'all', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		NULL, NULL
	WHERE NOT EXISTS (SELECT 1 FROM run) AND NOT EXISTS (SELECT 1 FROM started)
	UNION ALL SELECT 2, 'all_calls', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		NULL, NULL, NULL
	FROM outlook
	WHERE alone = 1 AND NOT EXISTS (SELECT 1 FROM run WHERE key = 'in_init')
	UNION ALL SELECT 3, 'ranks_left_out', count(*), rank_list(rank), count(*), 'ranks', NULL,
		NULL, NULL, NULL, NULL, reason, NULL, NULL
	FROM (SELECT rank, reason FROM input WHERE state = 'left_out' ORDER BY rank)
	GROUP BY reason
	UNION ALL SELECT 4, 'ranks_damaged', count(*), rank_list(rank), count(*), 'ranks', NULL,
		NULL, NULL, NULL, NULL, reason, NULL, NULL
	FROM (SELECT rank, reason FROM input WHERE state = 'partial' ORDER BY rank)
	GROUP BY reason
	UNION ALL SELECT 5, 'ranks_running', count(*), rank_list(rank), count(*), 'ranks', NULL,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL
	FROM (SELECT rank FROM input WHERE state = 'unfinished' ORDER BY rank)
	GROUP BY NULL
	-- MPI_Abort may end by exit(), too.
	UNION ALL SELECT iif(exited, 5.9, 6), iif(exited, 'ranks_exited', 'ranks_not_finalized'),
		count(*), rank_list(rank), count(*), 'ranks', NULL, NULL, NULL, NULL, NULL, NULL,
		NULL, NULL
	FROM (
		SELECT rank, rank IN (SELECT rank FROM run WHERE key = 'exited')
			AND rank NOT IN (SELECT rank FROM at_end WHERE call = 'MPI_Abort') AS
			exited
		FROM unclean
		ORDER BY rank)
	GROUP BY exited
	UNION ALL SELECT 6.02, 'ranks_in_init', count(*), rank_list(rank), count(*), 'ranks', NULL,
		NULL, NULL, NULL, state, NULL, NULL, NULL
	FROM (
		SELECT rank, state
		FROM run
		JOIN input USING (rank)
		WHERE key = 'in_init'
		ORDER BY rank)
	GROUP BY state = 'unfinished'
	UNION ALL SELECT 6.05, 'time_after_last_record', count(*), rank_list(rank),
		max(most_ns - least_ns), 'ns', NULL, NULL, NULL, max(most_ns - least_ns), NULL,
		NULL, NULL, NULL
	FROM (SELECT * FROM unseen_end ORDER BY rank)
	GROUP BY most_ns IS NULL
	UNION ALL SELECT 6.1, 'aborted', 1, CAST(rank AS TEXT), 1, 'ranks', NULL, NULL, NULL, NULL, NULL, NULL,
		call, place
	FROM at_end
	LEFT JOIN site USING (rank, callsite)
	WHERE call = 'MPI_Abort'
	-- If one rank is outside MPI while others wait inside, look at this one. A rank that still
	-- runs is named only if the others have waited long.
	UNION ALL SELECT 6.2, 'outside_mpi', 1, CAST(e.rank AS TEXT), 1, 'ranks', others, NULL, NULL, NULL,
		iif(runs, 'runs', NULL), NULL, (SELECT name FROM call_name n WHERE n.id = l.call),
		s.place
	FROM at_end e
	JOIN (SELECT count(*) AS others FROM at_end WHERE calls)
	LEFT JOIN last_call l
	LEFT JOIN site s ON s.rank = e.rank AND s.callsite = l.callsite
	WHERE NOT e.calls AND (NOT runs OR (SELECT max(least_ns) FROM open_call) >= 1000000000)
		AND others AND (SELECT count(*) FROM at_end WHERE NOT calls) = 1
		AND NOT EXISTS (SELECT 1 FROM at_end WHERE call = 'MPI_Abort')
	UNION ALL SELECT 7, key, count(*), rank_list(rank), sum(n), 'rows', NULL, NULL, NULL,
		min(kept), iif(count(why) = count(*), 'not_written', 'too_many'), NULL,
		substr(key, 9), NULL
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
	UNION ALL SELECT 8, 'lost_bytes', count(*), rank_list(rank), sum(n), 'B', NULL, NULL, NULL,
		NULL, NULL, why, NULL, NULL
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
	UNION ALL SELECT 9, 'ranks_stopped', count(*), rank_list(rank), count(*), 'ranks', NULL,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL
	FROM (SELECT rank FROM run WHERE key = 'stopped' AND value > 0 ORDER BY rank)
	GROUP BY NULL
	UNION ALL SELECT 9.1, 'time_not_recorded', count(*), rank_list(rank), sum(ns), 'ns', NULL,
		NULL, 100.0 * sum(ns) / sum(run), sum(ns), NULL, NULL, NULL, NULL
	FROM (
		SELECT u.rank, CAST(u.value AS INTEGER) AS ns, CAST(e.value AS INTEGER) AS run
		FROM run u
		JOIN run e USING (rank)
		WHERE u.key = 'unrecorded_ns' AND e.key = 'end_ns' AND ns > 0
		ORDER BY u.rank)
	HAVING count(*)
	UNION ALL SELECT 9.2, 'calls_left', count(*), rank_list(rank), sum(n), 'calls', NULL, NULL,
		NULL, NULL, NULL, NULL, NULL, NULL
	FROM (
		SELECT rank, CAST(value AS INTEGER) AS n
		FROM run
		WHERE key = 'calls_left' AND n > 0
		ORDER BY rank)
	HAVING count(*)
	-- With max(), SQLite takes name and place from the row that has it.
	UNION ALL SELECT 9.3, 'calls_failed', nranks, ranks, sum(n), 'calls', max(n),
		nullif(count(*) - 1, 0), NULL, NULL, NULL, NULL, name, place
	FROM (
		SELECT name, place, sum(errors) AS n
		FROM call_cell c
		JOIN call_name ON id = call
		LEFT JOIN site USING (rank, callsite)
		WHERE errors
		GROUP BY name, place
		ORDER BY name, place),
		(
		SELECT rank_list(rank) AS ranks, count(*) AS nranks
		FROM (SELECT DISTINCT rank FROM call_cell WHERE errors ORDER BY rank))
	HAVING count(*)
	UNION ALL SELECT 9.4, 'samples_lost', count(*), rank_list(rank), sum(n), 'B', NULL, NULL,
		NULL, NULL, iif(max(small), 'small', NULL), NULL, NULL, NULL
	FROM (
		SELECT rank, CAST(value AS INTEGER) - coalesce((
			SELECT CAST(c.value AS INTEGER)
			FROM run c
			WHERE c.rank = run.rank AND c.key = 'samples_lost_in_calls'), 0) AS n,
			EXISTS (
			SELECT 1
			FROM run s
			WHERE s.rank = run.rank AND s.key = 'small_buffers' AND s.value > 0) AS
			small
		FROM run
		WHERE key = 'samples_lost_bytes' AND n > 0
		ORDER BY rank)
	HAVING count(*)
	UNION ALL SELECT 9.5, 'samples_dropped', count(*), rank_list(rank), sum(n), 'records', NULL,
		NULL, NULL, NULL, NULL, NULL, NULL, NULL
	FROM (
		SELECT rank, CAST(value AS INTEGER) AS n
		FROM run
		WHERE key = 'samples_dropped' AND n > 0
		ORDER BY rank)
	HAVING count(*)
	UNION ALL SELECT 9.6, 'threads_unsampled', count(*), rank_list(rank), sum(n), 'threads',
		NULL, nullif(sum(unlocked), 0), NULL, NULL, NULL, NULL, NULL, NULL
	FROM (
		SELECT rank, CAST(value AS INTEGER) AS n,
			(
			SELECT CAST(u.value AS INTEGER)
			FROM run u
			WHERE u.rank = run.rank AND u.key = 'unlocked_threads') AS unlocked
		FROM run
		WHERE key = 'unsampled_threads' AND n > 0
		ORDER BY rank)
	HAVING count(*)
	UNION ALL SELECT 10, key, count(*), rank_list(rank), sum(n), CASE key
		WHEN 'damaged_bytes' THEN 'B'
		WHEN 'missing_chunks' THEN 'chunks'
		WHEN 'damaged_records' THEN 'records'
		WHEN 'damaged_regions' THEN 'regions'
		ELSE 'ranks' END, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
	FROM (
		SELECT rank, key, CAST(value AS INTEGER) AS n
		FROM run
		WHERE n > 0 AND key IN ('damaged_bytes', 'missing_chunks', 'damaged_records',
				'damaged_regions', 'ring_missing', 'spool_missing')
		ORDER BY rank)
	GROUP BY key
	UNION ALL SELECT 11, 'messages_not_predicted', NULL, NULL, n, 'ops', messages, NULL, NULL,
		ns, iif(far = n, 'other_worlds',
			(SELECT value FROM run WHERE key = 'TRYST_CALIBRATE' LIMIT 1)), NULL, NULL,
		NULL
	FROM (
		SELECT sum(ops) AS n, sum(far) AS far, sum(ns) AS ns,
			(SELECT sum(count) FROM wait_cell_fields WHERE peer >= 0) AS messages
		FROM unpredicted)
	WHERE n > 0
	UNION ALL SELECT 12, 'ops_left_out', count(*), rank_list(rank), sum(n), 'rows', NULL, NULL,
		NULL, NULL, NULL, NULL, NULL, NULL
	FROM (
		SELECT rank, CAST(value AS INTEGER) AS n
		FROM run
		WHERE key = 'ops_left_out'
		ORDER BY rank)
	GROUP BY NULL
	UNION ALL SELECT 13 + nth, key, NULL, NULL, value, unit, NULL, NULL, NULL, NULL,
		(SELECT state FROM outlook WHERE state = 'runs' AND key = 'collectives_cut'), NULL,
		NULL, NULL
	FROM match_info
	JOIN (
		SELECT column1 AS nth, column2 AS key, column3 AS unit
		FROM (
			VALUES (0, 'violations', 'messages'), (1, 'clocks_unknown', 'ranks'),
				(2, 'order_unsure', 'messages'), (3, 'bytes_differ', 'messages'),
				(4, 'collectives_cut', 'collectives'), (5, 'blame_cut', 'waits'),
				(6, 'blame_left_out', 'waits'))) USING (key)
	WHERE value > 0)
SELECT *
FROM lost
ORDER BY o
