-- SPDX-License-Identifier: BSD-3-Clause
-- The bottlenecks to be replayed, those with the longest waits first: what decides which remedies
-- are tried. S_to: the S that all of its messages would need, if receivers buffer so much; else 0.
-- lost_ns: what its waits sum up to. has_place: where late ranks compute is known.
-- sleeps: they sleep there, for a tenth of the time or more (sampled.sql of report).
-- unknown: what a lack of CPUs is worth, if advice is withheld.
SELECT b.rowid, c.id, kind = 'send' AS sends,
	iif(protocol = 'rendezvous' AND S > 0 AND most_bytes > S AND most_bytes <= 262144
		AND NOT coalesce(unconfirmed, 0) AND coalesce(synchronous_pct, 0) <= 50, most_bytes, 0) AS S_to,
	coalesce(async_progress, 0) AS moves_alone,
	coalesce(advice IN ('balance', 'steady'), 0) OR coalesce(computing_pct, 0) >= 50 AS computes,
	coalesce(wait_ns, unhidden_ns) AS lost_ns,
	EXISTS (
	SELECT 1
	FROM activity a
	WHERE a.activity = b.late_activity AND a.doing = 'computation') AS has_place,
	EXISTS (
	SELECT 1
	FROM activity a
	JOIN sampled p ON p.rank = coalesce(b.late_rank, -1) AND p.thread = -1
		AND p.place = coalesce(a.place, '') AND p.after = coalesce(a.after, '')
	WHERE a.activity = b.late_activity AND a.doing = 'computation' AND (p.sleeps OR p.asleep_pct >= 10)) AS sleeps,
	b.cause = 'no_cpu' AND (SELECT withheld FROM advice_limits) AS unknown
FROM bottleneck b
JOIN cause_name c ON c.name = b.cause
ORDER BY lost_ns DESC, b.rowid
