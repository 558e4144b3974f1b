-- SPDX-License-Identifier: BSD-3-Clause
-- besides(part, text): what the verdict adds if much time goes into calls whose waits are
-- unknown or inexact. in_windows(ns, run): waits in windows and files, if blame has more waits
-- than messages and collectives have. without_rows(part, why): why ranks lack rows of messages
-- or of collectives, by the reason with the most rows. why NULL: there were too many rows.
CREATE TEMP VIEW without_rows AS
SELECT part, why
FROM (
	SELECT iif(key = 'dropped_ops', 10, 11) AS part,
		(SELECT w.value FROM run w WHERE w.rank = run.rank AND w.key = 'lost_reason') AS
		why, row_number() OVER (PARTITION BY key ORDER BY sum(CAST(value AS INTEGER))
			DESC, (
			SELECT w.value
			FROM run w
			WHERE w.rank = run.rank AND w.key = 'lost_reason')) AS nth
	FROM run
	WHERE key IN ('dropped_ops', 'dropped_collective') AND CAST(value AS INTEGER) > 0
	GROUP BY key, why)
WHERE nth = 1;

CREATE TEMP TABLE in_windows AS
SELECT blamed - waited AS ns, run
FROM (
	SELECT sum(direct + passed) / 256.0 AS blamed
	FROM blame_cell
	WHERE EXISTS (SELECT 1 FROM match_info)),
	(
	SELECT sum(ns) FILTER (WHERE part IN (2, 5)) AS waited,
		sum(ns) FILTER (WHERE part = 0) AS run
	FROM rank_time)
WHERE blamed > 1.02 * waited AND (blamed - waited) * 100 >= run AND run > 0;

CREATE TEMP TABLE besides AS
SELECT part, printf(iif(part = 7, ' Another %.1f %% is polling, most in %s at %s: where there '
			|| 'was nothing else to do, that is waiting, too, and what such a loop '
			|| 'did between these calls.',
			' Another %.1f %% is in one-sided, file and communicator calls, most '
			|| 'in %s at %s: '), 100.0 * ns / run,
		(SELECT name FROM call_name WHERE id = call), coalesce(place, 'unknown'))
	|| iif(part = 7, '', coalesce((
			SELECT printf('at least %.1f %% of the ranks'' time is waiting for '
					|| 'others there, see BLAME.', 100.0 * w.ns / w.run)
			FROM in_windows w),
			'how much of it is waiting for others is not told here.')) AS text
FROM (SELECT part, sum(ns) AS ns FROM rank_time WHERE part IN (7, 8) GROUP BY part),
	(SELECT sum(ns) AS run FROM rank_time WHERE part = 0),
	(
	SELECT u.part AS of, call, place,
		row_number() OVER (PARTITION BY u.part ORDER BY sum(ns) DESC, call, place) AS n
	FROM untold u
	LEFT JOIN site USING (rank, callsite)
	GROUP BY u.part, call, place)
WHERE of = part AND n = 1 AND ns * 20 >= run AND run > 0;

INSERT INTO besides
SELECT part, printf(iif(part = 10, ' Of the waiting, %.1f %% of the ranks'' time is in messages '
			|| 'without rows, as seen live (%s).',
			' Another %.1f %% is in collectives without rows: how much of it is '
			|| 'waiting is not told.'), 100.0 * ns / run,
		coalesce('they could not be written: '
			|| (SELECT why FROM without_rows w WHERE w.part = p.part),
			'--max-ops keeps more'))
FROM (SELECT part, sum(ns) AS ns FROM rank_time WHERE part IN (10, 11) GROUP BY part) p,
	(SELECT sum(ns) AS run FROM rank_time WHERE part = 0)
WHERE ns * 100 >= run AND run > 0;
