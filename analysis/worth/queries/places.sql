-- SPDX-License-Identifier: BSD-3-Clause
-- The callsites between which the late ranks of bottleneck ?1 compute: behind `after`, until `place`. mark: 1 where the
-- section begins, 2 where it ends, 3 both (replay/balance.h).
SELECT s.rank, s.callsite, (s.place = a.after) + 2 * (s.place = a.place) AS mark
FROM bottleneck b
JOIN activity a ON a.activity = b.late_activity AND a.doing = 'computation'
JOIN site s ON s.place IN (a.place, a.after)
WHERE b.rowid = ?1
