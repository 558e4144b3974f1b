-- SPDX-License-Identifier: BSD-3-Clause
-- How much was waited in all, why and where most of it, and which rank was late most. Needs
-- what verdict_parts.sql and verdict_limits.sql make. blamed_more: the lateness also cost waits
-- in windows and files. advice_*: worth_told.sql. worth_little: the waits in most_place are worth a
-- hundredth of the run at most, the advice is for another place, and nothing is in doubt.
SELECT waited_total.ns AS wait_ns, 100.0 * waited_total.ns / nullif(run_ns, 0) AS share_pct,
	most_cause.cause, most_cause.ns AS cause_ns, most_place.call, most_place.place AS "where",
	most_place.ns AS place_ns, done_call AS waited_in, done_place AS waited_at,
	late_most.rank AS late_rank, late_most.pct AS late_rank_pct,
	(SELECT pct FROM late_turns) AS in_turns_pct,
	(SELECT sum(ns) FROM rank_time WHERE part = 'unpredicted') AS not_predicted_ns,
	100.0 * most_cause.ns / waited_ns AS cause_pct,
	coalesce(late_most.blamed_ns > 1.02 * waited_ns, 0) AS blamed_more, verdict_limits.*,
	(SELECT t.run_ns FROM worth_run t) AS replayed_ns, (SELECT max(worth_ns) FROM worth_told) AS worth_ns,
	(SELECT t.interval_ns FROM worth_run t) AS interval_ns, f.cause AS advice_cause, f.call AS advice_call,
	f."where" AS advice_where, f.remedy AS advice_remedy, f.value AS advice_value, f.gain_ns AS advice_gain_ns,
	coalesce((
	SELECT count(o.worth_ns) = count(*) AND 100 * sum(o.worth_ns) <= t.run_ns
	FROM bottleneck b
	JOIN worth_run t
	LEFT JOIN worth_told o ON o.bottleneck = b.rowid
	WHERE NOT EXISTS (SELECT 1 FROM doubt) AND b.cause = most_cause.cause AND b.call = most_place.call
		AND b.place = most_place.place
		AND NOT coalesce(f.call = b.call AND f."where" = b.place, 0)), 0) AS worth_little
FROM waited_total
JOIN verdict_limits
LEFT JOIN most_cause
LEFT JOIN most_place
LEFT JOIN late_most
LEFT JOIN advice_first f
