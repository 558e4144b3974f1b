-- SPDX-License-Identifier: BSD-3-Clause
-- The verdict in words, as one side can know it. Needs what outlook.sql, hedge.sql, besides.sql
-- and unconfirmed.sql make.
SELECT 'Verdict: ' || coalesce((SELECT text || ' ' FROM outlook), '') || CASE
	WHEN (SELECT alone FROM outlook) THEN ''
	WHEN coalesce(run, 0) = 0 THEN 'how long the run took is not known.'
	WHEN EXISTS (SELECT 1 FROM hedge)
		THEN printf(iif((SELECT ends FROM outlook), 'At', 'at')
			|| ' least %.1f %% of ' || (SELECT text FROM whose)
			|| ' is waiting in messages, as one side can know it; %s',
			100.0 * wait / run, (SELECT text FROM hedge))
	WHEN wait * 100 < 2 * run AND (SELECT text FROM outlook) IS NULL
		AND NOT EXISTS (SELECT 1 FROM besides) AND NOT EXISTS (SELECT 1 FROM bound)
		THEN printf('waiting in messages is not the problem, it is %.1f %% of the '
			|| 'ranks'' time.', 100.0 * wait / run)
	ELSE printf(coalesce((SELECT text FROM bound), '') || '%.0f %% of '
		|| (SELECT text FROM whose)
		|| ' is waiting in messages, as one side can know it.', 100.0 * wait / run) END
	|| (
	SELECT coalesce(group_concat(text, ''), '')
	FROM (SELECT text FROM besides ORDER BY part)) || (SELECT text FROM unconfirmed)
FROM (
	SELECT coalesce(sum(ns) FILTER (WHERE part = 2), 0) AS wait,
		sum(ns) FILTER (WHERE part = 0) AS run
	FROM rank_time)
