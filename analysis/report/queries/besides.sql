-- SPDX-License-Identifier: BSD-3-Clause
-- besides: what the verdict adds, in the order of nth, if much time goes into calls whose waits
-- are unknown or inexact. waits_pct: the known part of it; why: the reason of missing rows.
-- in_windows(ns, run): waits in windows and files, if blame has more waits than messages and
-- collectives have. without_rows(part, why): why ranks lack rows of messages
-- or of collectives, by the reason with the most rows. why NULL: there were too many rows.
CREATE TEMP VIEW without_rows AS
SELECT part, why
FROM (
	SELECT iif(key = 'dropped_ops', 'messages_without_rows', 'collectives_without_rows') AS
		part,
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
	SELECT sum(1.0 * direct + passed) / 256.0 AS blamed
	FROM blame_cell
	WHERE EXISTS (SELECT 1 FROM match_info)),
	(
	SELECT coalesce(sum(ns) FILTER (WHERE part IN ('waits', 'collective_waits')), 0) AS waited,
		sum(ns) FILTER (WHERE part = 'run') AS run
	FROM rank_time)
WHERE blamed > 1.02 * waited AND (blamed - waited) * 100 >= run AND run > 0;

CREATE TEMP TABLE besides (nth INTEGER, what TEXT, share_pct REAL, call TEXT, place TEXT,
		waits_pct REAL, why TEXT);

INSERT INTO besides
SELECT iif(part = 'polling', 2, 3), part, 100.0 * ns / run,
	(SELECT name FROM call_name WHERE id = call), coalesce(place, 'unknown'),
	(SELECT 100.0 * w.ns / w.run FROM in_windows w), NULL
FROM (
	SELECT part, sum(ns) AS ns
	FROM rank_time
	WHERE part IN ('polling', 'other_calls')
	GROUP BY part),
	(SELECT sum(ns) AS run FROM rank_time WHERE part = 'run'),
	(
	SELECT u.part AS of, call, place,
		row_number() OVER (PARTITION BY u.part ORDER BY sum(ns) DESC, call, place) AS n
	FROM untold u
	LEFT JOIN site USING (rank, callsite)
	GROUP BY u.part, call, place)
WHERE of = part AND n = 1 AND ns * 20 >= run AND run > 0;

INSERT INTO besides
SELECT iif(part = 'messages_without_rows', 1, 4), part, 100.0 * ns / run, NULL, NULL, NULL,
	(SELECT why FROM without_rows w WHERE w.part = p.part)
FROM (
	SELECT part, sum(ns) AS ns
	FROM rank_time
	WHERE part IN ('messages_without_rows', 'collectives_without_rows')
	GROUP BY part) p,
	(SELECT sum(ns) AS run FROM rank_time WHERE part = 'run')
WHERE ns * 100 >= run AND run > 0;
