-- SPDX-License-Identifier: BSD-3-Clause
-- Where transfers were held up, why, what that costs the run (worth_tables.sql), and what helps. A
-- row with unhidden_ns is no wait and has no waited_in: peer_done_call is the call in which the
-- transfer moved. People (:for_data 0) get those that are worth more than the interval; without a
-- replay, or if the worth is unsure, those that are a hundredth of all waits. A worth within the
-- interval is noise, so the waits order these. untried: not replayed. withheld: CPU loss may have
-- distorted advice. own_pct: of what was lost, what has this cause. late_doing: what the late ranks
-- did; doing: the same, where that was in one place.
SELECT b.place AS "where", b.call, b.protocol, b.cause, pairs, count, least_bytes, most_bytes,
	wait_ns, unhidden_ns, mean_ns, late_mean_ns, late_longest_ns, elsewhere_pct,
	same_sender_pct, done_call AS waited_in, done_place AS waited_at, peer_call, peer_place,
	peer_done_call, peer_done_place, peer_share_pct, inside_pct, late_rank, late_thread,
	late_rank_pct, computing_pct, in_turns_pct, advice, ns AS lost_ns, S, S_p, setting,
	setting_bytes, async_progress, synchronous_pct, before_pct, late_ranks, through_rank,
	through_pct, unconfirmed, 100.0 * mean_ns * count / nullif(wait_ns, 0) AS own_pct,
	late_doing, a.doing, a.call AS late_call, a.place AS late_place, a.after AS late_after,
	s.heavy, s.heavy_pct, s.no_cpu_pct, s.asleep_pct, s.sleeps, w.worth_ns, w.without_ns,
	t.run_ns, t.interval_ns, r.remedy AS remedy_kind, r.value AS remedy_value,
	r.gain_ns AS remedy_gain_ns, (
	SELECT group_concat(remedy, ',')
	FROM (
		SELECT remedy
		FROM remedy_tried o
		WHERE o.bottleneck = b.rowid
		ORDER BY effort)) AS tried, w.bottleneck IS NULL AS untried,
	(SELECT withheld FROM advice_limits) AS withheld, coalesce(w.unsure, 0) AS unsure,
	coalesce(chance, 0) AS chance
FROM (SELECT rowid, *, coalesce(wait_ns, unhidden_ns) AS ns FROM bottleneck) b
LEFT JOIN done_of d ON wait_ns NOT NULL AND d.place = b.place AND d.call = fn
	AND d.protocol IS b.protocol AND d.cause = b.cause
LEFT JOIN activity a ON a.activity = b.late_activity
LEFT JOIN sampled s ON a.doing = 'computation' AND s.rank = coalesce(late_rank, -1)
	AND s.thread = iif(late_rank IS NULL, -1, coalesce(late_thread, -1))
	AND s.place = coalesce(a.place, '') AND s.after = coalesce(a.after, '')
LEFT JOIN worth_run t
LEFT JOIN worth_told w ON w.bottleneck = b.rowid
LEFT JOIN remedy_best r ON r.bottleneck = b.rowid
WHERE :for_data OR worth_ns > interval_ns
	OR (worth_ns IS NULL AND (unsure OR ns > coalesce(interval_ns, 0))
		AND ns >= 0.01 * coalesce((SELECT ns FROM waited_sum), 0))
ORDER BY coalesce(chance, 0), iif(worth_ns > interval_ns, worth_ns, 0) DESC, ns DESC, b.place, b.call, b.cause
LIMIT :top
