-- SPDX-License-Identifier: BSD-3-Clause
-- The callsites between which the late ranks of bottleneck ?1 compute: behind `after`, until `place`. mark: 1 where the
-- section begins, 2 where it ends, 3 both (replay/balance.h). asleep: the share of that time in which the rank sleeps.
SELECT s.rank, s.callsite, coalesce(s.place = a.after, 0) + 2 * (s.place = a.place) AS mark,
	p.asleep_pct / 100 AS asleep
FROM bottleneck b
JOIN activity a ON a.activity = b.late_activity AND a.doing = 'computation'
JOIN site s ON s.place IN (a.place, a.after)
LEFT JOIN sampled p ON s.place = a.place AND p.rank = s.rank AND p.thread = -1 AND p.place = a.place
	AND p.after = coalesce(a.after, '')
WHERE b.rowid = ?1
