-- SPDX-License-Identifier: BSD-3-Clause
-- cause_row: waits by protocol and cause, from both sides. count and mean_ns are of waits that
-- were mostly for that cause; wait_ns has its part of others, too. what_helps: the remedy that brings
-- most by replay; NULL: none of those tried helps, or advice is withheld, as it is for all causes but
-- no_cpu and not_recorded if ranks lacked a CPU. Without a replay: by the cause.
CREATE TEMP VIEW cause_row AS
SELECT iif(cause = 'not_recorded', NULL, protocol) AS protocol,
	cause, iif(cause = 'not_recorded',
		(SELECT sum(CAST(value AS INTEGER)) FROM run WHERE key = 'dropped_ops'),
		nullif(sum(waits), 0)) AS count, sum(ns) AS wait_ns,
	100.0 * sum(ns) / nullif((SELECT ns FROM waited_sum), 0) AS share_pct,
	sum(iif(waits, ns, 0)) / nullif(sum(waits), 0) AS mean_ns,
	CASE
	WHEN cause NOT IN ('no_cpu', 'not_recorded') AND (SELECT withheld FROM advice_limits) THEN NULL
	WHEN EXISTS (
		SELECT 1
		FROM bottleneck b
		JOIN remedy_tried t ON t.bottleneck = b.rowid
		WHERE b.cause = e.cause AND b.protocol IS e.protocol) THEN (
		SELECT helps(remedy)
		FROM bottleneck b
		JOIN remedy_best r ON r.bottleneck = b.rowid
		WHERE b.cause = e.cause AND b.protocol IS e.protocol
		ORDER BY gain_ns DESC
		LIMIT 1)
	ELSE coalesce((
		SELECT iif(unconfirmed AND cause IN ('flow_control', 'contention'), '(unconfirmed)',
			helps(coalesce(advice, cause)))
		FROM bottleneck b
		WHERE b.cause = e.cause AND b.protocol IS e.protocol
		GROUP BY advice
		ORDER BY sum(wait_ns) DESC
		LIMIT 1), CASE
		WHEN cause = 'not_recorded'
			AND (SELECT why FROM without_rows WHERE part = 'messages_without_rows') NOT NULL
			THEN '(live)'
		WHEN cause IN ('flow_control', 'contention')
			AND EXISTS (SELECT 1 FROM unconfirmed)
			THEN '(unconfirmed)'
		ELSE helps(cause) END)
	END AS what_helps
FROM exact_part e
GROUP BY 1, cause;
