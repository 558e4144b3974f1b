-- SPDX-License-Identifier: BSD-3-Clause
-- Fills outlook, the opening of a verdict before it speaks of waits. state: what became of the
-- job, NULL if it came to its end. inside: how many of the ranks of the world were in calls,
-- longest_ns for how long. alone: 1 or 2 if nothing else can be said; 1: nothing was recorded, 2:
-- only the start of ranks that then hung. ends: the opening ends with a full stop. unknown: ranks
-- of which nothing is known. stands: a running job stands still: a call has not returned for a second, or never can.
-- The age of a call is known only where all processes are on this machine.
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
		(
		SELECT count(*)
		FROM at_end
		JOIN run USING (rank)
		WHERE runs AND key = 'process' AND value = 'alive') AS alive,
		(SELECT count(*) FROM at_end WHERE calls) AS inside,
		(SELECT max(least_ns) FROM open_call) AS longest_ns,
		(SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns') AS last_ns,
		(
		SELECT count(*)
		FROM call_profile
		WHERE call NOT IN ('MPI_Init', 'MPI_Init_thread', 'MPI_Finalize')) AS calls)
INSERT INTO outlook (state, alone, ends, inside, world, longest_ns)
SELECT CASE
	WHEN known > 0 AND starting = known THEN iif(runs, 'starting', 'ended_in_init')
	WHEN known > 0 AND calls = 0 AND ended = 0
		THEN iif(EXISTS (
			SELECT 1
			FROM run
			WHERE key = 'TRYST_RECORD' AND value = 'pcontrol'), 'awaits_pcontrol',
			'nothing_recorded')
	WHEN stands THEN 'hangs'
	WHEN inside AND NOT runs THEN 'hung'
	WHEN ended > runs THEN 'cut_short'
	WHEN runs THEN 'runs' END,
	known > 0 AND calls = 0 AND (ended = 0 OR starting = known), CASE
	WHEN known > 0 AND (starting = known OR (calls = 0 AND ended = 0)) THEN 1
	WHEN stands OR (runs AND ended = runs) THEN 0
	ELSE ended AND inside OR ended > runs END, inside, world,
	iif(runs OR longest_ns * 100 > last_ns, longest_ns, NULL)
FROM (
	SELECT *, runs AND inside AND (longest_ns >= 1000000000 OR alive < runs
		OR EXISTS (SELECT 1 FROM wrong)
		OR EXISTS (SELECT 1 FROM cycle) OR EXISTS (SELECT 1 FROM misfit)
		OR EXISTS (SELECT 1 FROM unlike)) AS stands
	FROM n);

UPDATE outlook
SET ends = 0, unknown = world - (SELECT count(*) FROM known)
WHERE NOT alone AND (SELECT count(*) FROM known) < (
	SELECT max(CAST(value AS INTEGER))
	FROM run
	WHERE key = 'world_size');

UPDATE outlook
SET ends = 0, unrecorded_pct = (SELECT 100.0 * ns / run FROM unrecorded)
WHERE NOT alone AND EXISTS (SELECT 1 FROM unrecorded WHERE ns * 20 >= run);

UPDATE outlook
SET alone = 2, last_ns = last, ended_ns = most
FROM (SELECT max(least_ns) AS last, max(most_ns) AS most FROM unseen_end)
WHERE NOT alone AND ends
	AND most > 10 * (SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'end_ns')
	AND (EXISTS (SELECT 1 FROM wrong) OR EXISTS (SELECT 1 FROM cycle)
		OR EXISTS (SELECT 1 FROM misfit) OR EXISTS (SELECT 1 FROM unlike));

UPDATE outlook
SET said = state NOT NULL OR unknown NOT NULL OR unrecorded_pct NOT NULL;
