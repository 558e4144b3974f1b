-- SPDX-License-Identifier: BSD-3-Clause
-- Every remedy that was replayed, for each bottleneck. helps: withheld where CPU loss may have distorted the gain.
SELECT b.place AS "where", b.call, b.protocol, b.cause, r.remedy, r.value, r.gain_ns,
	100.0 * r.gain_ns / nullif(t.run_ns, 0) AS run_pct, CASE
	WHEN NOT r.helps THEN 'no'
	WHEN (SELECT withheld FROM advice_limits) THEN 'withheld'
	ELSE 'yes' END AS helps
FROM remedy_tried r
JOIN bottleneck b ON b.rowid = r.bottleneck
JOIN worth_run t
ORDER BY r.gain_ns DESC, b.place, b.call, b.cause, r.effort
LIMIT :top
