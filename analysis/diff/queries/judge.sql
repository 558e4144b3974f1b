-- SPDX-License-Identifier: BSD-3-Clause
-- Judges which changes are beyond the noise. launches_2: the square of the difference that two
-- launches have whatever their waits (diff.h). If the runs have different numbers of ranks,
-- nothing is judged: noise_ns and verdict stay NULL.
CREATE TEMP TABLE launches AS
SELECT row.rowid AS id, chance_ns * chance_ns + 0.01 * max(1.0 * a_ns * a_ns, 1.0 * b_ns * b_ns)
	AS launches_2
FROM row, machine;
CREATE UNIQUE INDEX launches_id ON launches (id);

UPDATE row SET spread_ns = CAST(bound * square_root(variance) AS INTEGER),
	noise_ns = CAST(machine_ns + square_root(bound * bound * variance + launches_2) AS INTEGER)
FROM launches, (SELECT what AS of, normal_bound(count(*)) AS bound FROM row
	WHERE a_ns <> 0 OR b_ns <> 0 GROUP BY what)
WHERE what = of AND launches.id = row.rowid AND (SELECT count(DISTINCT ranks) FROM run) = 1;

-- Without predictions, the times of both sides still show late_sender, late_receiver, wrong_order
-- and all waits in collectives. Rows of other causes are not judged if unpredicted time could
-- decide them.
UPDATE row SET noise_ns = NULL
FROM (SELECT sum(unpredicted_ns) AS unknown FROM run)
WHERE what = 'wait' AND abs(b_ns - a_ns) + unknown > noise_ns AND abs(b_ns - a_ns) - unknown <= noise_ns
	AND EXISTS (
	SELECT 1
	FROM (VALUES ('late_progress'), ('flow_control'), ('contention'), ('no_cpu'), ('unexplained'), ('unknown'),
		(iif((SELECT min(both_sides) FROM run), '', cause)))
	WHERE column1 IN (cause, b_cause))
	AND NOT is_collective(coalesce(call, ''));

-- As in the verdict of a report, less than a hundredth of the run does not count.
CREATE TEMP TABLE unsure AS
SELECT side, unpredicted_ns, why
FROM run
WHERE unpredicted_ns * 10 > (SELECT coalesce(max(sum(a_ns), sum(b_ns)), 0) FROM row WHERE what = 'wait')
	AND unpredicted_ns * 100 >= (SELECT sum(ns) FROM cell c WHERE c.side = run.side AND what = 'time'
		AND cause = 'run');

UPDATE row SET verdict = CASE WHEN noise_ns IS NULL THEN NULL
	WHEN abs(b_ns - a_ns) <= noise_ns THEN iif(spread_ns >= max(abs(a_ns), abs(b_ns))
		AND abs(b_ns - a_ns) > machine_ns + square_root(launches_2), 'few', 'noise')
	WHEN b_ns > a_ns THEN 'more' ELSE 'less' END
	|| CASE WHEN a_ns = 0 AND b_ns <> 0 THEN ', only in B'
		WHEN b_ns = 0 AND a_ns <> 0 THEN ', only in A' ELSE '' END
FROM launches WHERE launches.id = row.rowid;
