-- SPDX-License-Identifier: BSD-3-Clause
-- The verdict in words. Needs what verdict_parts.sql, outlook.sql, hedge.sql, besides.sql and
-- unconfirmed.sql make.
SELECT 'Verdict: ' || coalesce((SELECT text || ' ' FROM outlook), '') || CASE
	WHEN (SELECT alone FROM outlook) THEN ''
	WHEN coalesce(waited_total.run_ns, 0) = 0 THEN 'how long the run took is not known.'
	WHEN EXISTS (SELECT 1 FROM hedge)
		THEN printf(iif((SELECT ends FROM outlook), 'At', 'at')
			|| ' least %.1f %% of ' || (SELECT text FROM whose)
			|| ' is waiting%s; %s', 100.0 * waited_total.ns / waited_total.run_ns,
			iif(waited_total.ns * 100 < 2 * waited_total.run_ns, '',
				printf(', %.0f %% of that %s, most %s',
					100.0 * most_cause.ns / waited_total.waited_ns,
					most_cause.cause, most_place.text)),
			(SELECT text FROM hedge))
	WHEN waited_total.ns * 100 < 2 * waited_total.run_ns
		AND (SELECT text FROM outlook) IS NULL AND NOT EXISTS (SELECT 1 FROM besides)
		AND NOT EXISTS (SELECT 1 FROM bound)
		THEN printf('waiting is not the problem, it is %.1f %% of the ranks'' time.',
			100.0 * waited_total.ns / waited_total.run_ns)
	WHEN waited_total.ns * 100 < 2 * waited_total.run_ns
		THEN printf(coalesce((SELECT text FROM bound), '') || '%.1f %% of '
			|| (SELECT text FROM whose) || ' is waiting in %s.',
			100.0 * waited_total.ns / waited_total.run_ns, CASE
			WHEN (SELECT text FROM outlook) IS NOT NULL THEN 'calls that returned'
			WHEN EXISTS (SELECT 1 FROM besides WHERE part = 8)
				THEN 'messages and collectives'
			ELSE 'calls that block' END)
	ELSE printf(coalesce((SELECT text FROM bound), '') || '%.0f %% of '
		|| (SELECT text FROM whose) || ' is waiting%s, %.0f %% of that %s; most %s.',
		100.0 * waited_total.ns / waited_total.run_ns,
		iif(EXISTS (SELECT 1 FROM in_windows), ' in messages and collectives', ''),
		100.0 * most_cause.ns / waited_total.waited_ns, most_cause.cause, most_place.text)
			|| CASE
		WHEN coalesce((SELECT pct FROM late_turns), 0) >= 90
			THEN ' Ranks are late in turns, hardly one more than others.'
		WHEN late_most.pct > 50
			THEN printf(' Of %s %.0f %% is for rank %d: see BLAME.',
				iif(late_most.blamed_ns > waited_total.waited_ns * 1.02,
					'that and of waits in windows and files', 'it'),
				late_most.pct, late_most.rank)
		ELSE '' END END || (
	SELECT coalesce(group_concat(text, ''), '')
	FROM (SELECT text FROM besides ORDER BY part <> 10, part))
	|| (SELECT text FROM unconfirmed) AS text
FROM waited_total
LEFT JOIN most_cause
LEFT JOIN most_place
LEFT JOIN late_most
