-- SPDX-License-Identifier: BSD-3-Clause
-- The verdict on two runs in words. If too much of the time in messages is unpredicted, it
-- compares all time in MPI instead of waits. many_few: rows with too few waits to judge changed
-- by more than a tenth of the total. CPU shortage is named if its part of some row's noise_ns
-- is at least a tenth of all waiting.
WITH judged AS (
	SELECT 0 AS what, 'wait' AS thing, NULL AS unsure WHERE NOT EXISTS (SELECT 1 FROM unsure)
	UNION ALL
	SELECT 1, 'call', text FROM unsure WHERE text NOT NULL
), sums AS (
	SELECT thing, unsure, coalesce(sum(a_ns), 0) AS a, coalesce(sum(b_ns), 0) AS b,
		coalesce(sum(verdict LIKE 'more%'), 0) AS more,
		coalesce(sum(verdict LIKE 'less%'), 0) AS less,
		coalesce(sum(abs(b_ns - a_ns)) FILTER (WHERE verdict LIKE 'few%'), 0) AS few_ns
	FROM judged LEFT JOIN row USING (what) GROUP BY thing
), known AS (
	SELECT *, few_ns * 10 > max(a, b) AS many_few FROM sums
)
SELECT printf(iif(unsure IS NULL, 'Verdict: ', 'Verdict: how much was waited cannot be compared: of the'
		|| ' time in message calls %s is not predicted, and may be waiting or not. All time in'
		|| ' MPI: '), unsure)
	|| printf(iif(unsure IS NULL, '%s of waiting became %s; %s.', '%s became %s; %s.'),
		duration(a), duration(b),
		CASE WHEN (SELECT count(DISTINCT ranks) FROM run) > 1
			THEN 'other numbers of ranks: not judged'
		WHEN more + less > 0 THEN printf('%d %s%s grew and %d shrank beyond the noise', more,
			thing, iif(more = 1, '', 's'), less)
		WHEN many_few THEN 'whether that is a change cannot be told'
		ELSE 'no change is beyond the noise' END)
	|| iif(many_few, printf(' Of %ss that are too few, or came too much at once, to be told from'
		|| ' chance, %s differ: longer runs, with more repetitions, would tell.', thing,
		duration(few_ns)), '')
	|| coalesce((SELECT printf(' Ranks had no processor for %s in A and %s in B, in which they could'
		|| ' have run: up to %s of what counts as noise of a row (noise_ns in csv) is due to'
		|| ' that.', duration(sum(iif(side = 0, ns, 0))), duration(sum(iif(side = 1, ns, 0))),
			duration(most))
		FROM held, (SELECT max(machine_ns + chance_ns) AS most FROM row, machine
			WHERE what = 0 AND noise_ns NOT NULL)
		HAVING most * 10 >= (SELECT coalesce(max(sum(a_ns), sum(b_ns)), 0) FROM row WHERE what = 0)
			AND sum(ns) > 0), '')
FROM known
