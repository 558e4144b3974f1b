-- SPDX-License-Identifier: BSD-3-Clause
-- Fills outlook. never(text): why ranks inside calls will never return, if a reason is found.
-- ended_by(text): who ended the job. A library that ends the job on an error looks like a hang,
-- except if a message was too long.
CREATE TEMP VIEW never AS
SELECT coalesce((
		SELECT printf(', rank %d in %s %s', rank, call, text)
		FROM wrong w
		JOIN pending p USING (rank)
		WHERE p.op_id IS nullif(w.op_id, 0) AND in_call AND (w.op_id OR tag NOT NULL)
		ORDER BY rank, w.op_id
		LIMIT 1), '')
	|| coalesce((
		SELECT printf(', rank %d %s %s from %s%s, while %s', rank,
			iif(p.in_call, 'in', 'waits for'), call,
			coalesce('rank ' || peer, 'any rank'),
			iif(tag < 0, '', ', tag ' || tag), text)
		FROM misfit
		JOIN pending p USING (rank, op_id)
		WHERE kind = 'recv'
		ORDER BY rank, op_id
		LIMIT 1), '')
	|| coalesce(', and wait for each other: ' || (SELECT text FROM cycle), '')
	|| coalesce((
		SELECT printf(', rank %d in %s, where %s', rank, call, text)
		FROM unlike
		LIMIT 1), '')
	AS text;

CREATE TEMP VIEW ended_by AS
SELECT coalesce((
	SELECT group_concat(text, '')
	FROM (
		SELECT printf('; %s %s called MPI_Abort at %s', iif(count(*) = 1, 'rank', 'ranks'),
			rank_list(rank), coalesce(place, 'an unknown place')) AS text
		FROM (
			SELECT rank, place
			FROM at_end
			LEFT JOIN site USING (rank, callsite)
			WHERE call = 'MPI_Abort'
			ORDER BY rank)
		GROUP BY place
		ORDER BY min(rank)
		LIMIT 3))
	|| coalesce((
		SELECT printf('; and others at %d more places', n - 3)
		FROM (
			SELECT count(DISTINCT coalesce(place, '')) AS n
			FROM at_end
			LEFT JOIN site USING (rank, callsite)
			WHERE call = 'MPI_Abort')
		WHERE n > 3), ''), '') AS text;

WITH n AS (
	SELECT (SELECT count(*) FROM known) AS known,
		max((SELECT count(*) FROM known),
			(
			SELECT coalesce(max(CAST(value AS INTEGER)), 0)
			FROM run
			WHERE key = 'world_size')) AS world,
		(SELECT count(*) FROM run WHERE key = 'in_init') AS starting,
		(SELECT count(*) FROM at_end) AS ended,
		(SELECT count(*) FROM at_end WHERE runs) AS runs,
		(SELECT count(*) FROM at_end WHERE calls) AS inside,
		(
		SELECT count(*)
		FROM call_profile
		WHERE call NOT IN ('MPI_Init', 'MPI_Init_thread', 'MPI_Finalize')) AS calls)
INSERT INTO outlook
SELECT CASE
	WHEN known > 0 AND starting = known
		THEN iif(runs, 'no rank has left MPI_Init yet', 'no rank came out of MPI_Init')
		|| ': of waits nothing is known.'
	WHEN known > 0 AND calls = 0 AND ended = 0
		THEN 'nothing was recorded between MPI_Init and MPI_Finalize'
		|| iif((SELECT 1 FROM run WHERE key = 'TRYST_RECORD' AND value = 'pcontrol'),
			' (recording waits for MPI_Pcontrol(1), by --record pcontrol)', '')
		|| ': of waits nothing is known.'
	WHEN runs AND inside THEN printf('%d of %d ranks are inside MPI calls that have not '
			|| 'returned, the longest for %s%s: see PENDING. So far:', inside, world,
			(SELECT duration(max(least_ns)) FROM open_call), (SELECT text FROM never))
	WHEN ended AND inside THEN printf('the job did not come to its end; %d of %d ranks '
			|| 'were in calls that never returned', inside, world)
		|| coalesce((
			SELECT ', the longest for at least ' || duration(max(least_ns))
			FROM open_call
			HAVING max(least_ns) * 100 > (
				SELECT max(CAST(value AS INTEGER))
				FROM run
				WHERE key = 'end_ns')), '') || (SELECT text FROM never)
		|| (SELECT text FROM ended_by) || '.'
	WHEN ended > runs THEN 'the job did not come to its end.' END,
	known > 0 AND calls = 0 AND (ended = 0 OR starting = known), CASE
	WHEN known > 0 AND (starting = known OR (calls = 0 AND ended = 0)) THEN 1
	WHEN runs AND inside THEN 0
	ELSE ended AND inside OR ended > runs END
FROM n;

UPDATE outlook
SET ends = 0, text = coalesce(text || ' ', '') || (
	SELECT printf('of %d of %d ranks nothing is known; of the others:', world - known, world)
	FROM (
		SELECT (SELECT count(*) FROM known) AS known, max(CAST(value AS INTEGER)) AS world
		FROM run
		WHERE key = 'world_size')
	WHERE world > known)
WHERE NOT alone AND (SELECT count(*) FROM known) < (
	SELECT max(CAST(value AS INTEGER))
	FROM run
	WHERE key = 'world_size');

UPDATE outlook
SET ends = 0, text = coalesce(text || ' ', '') || (
	SELECT printf('in %.0f %% of the ranks'' time nothing was recorded, and what waited '
			|| 'then is not known:', 100.0 * ns / run)
	FROM unrecorded)
WHERE NOT alone AND EXISTS (SELECT 1 FROM unrecorded WHERE ns * 20 >= run);

UPDATE outlook
SET alone = 2, text = printf('%s What share of the time is waiting is not told: the last '
		|| 'record is of %s after MPI_Init, and the job ended by %s.', text,
		duration(last), duration(most))
FROM (SELECT max(least_ns) AS last, max(most_ns) AS most FROM unseen_end)
WHERE NOT alone AND ends
	AND most > 10 * (SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns')
	AND (EXISTS (SELECT 1 FROM wrong) OR EXISTS (SELECT 1 FROM cycle)
		OR EXISTS (SELECT 1 FROM misfit) OR EXISTS (SELECT 1 FROM unlike));
