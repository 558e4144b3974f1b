-- SPDX-License-Identifier: BSD-3-Clause
-- The verdict of a scaling study: the efficiency at the largest size, and the waits and computation that lose most.
SELECT weak, first.ranks AS first_ranks, last.ranks AS ranks, CAST(last.run_ns AS INTEGER) AS run_ns,
	CAST(last.share * last.first_ns AS INTEGER) AS ideal_ns,
	100.0 * last.share * last.first_ns / nullif(last.run_ns, 0) AS efficiency_pct, w.place AS "where", w.call, w.cause,
	w.lost_pct, iif(m.lost_pct > 0, m.lost_pct, NULL) AS mpi_lost_pct,
	iif(c.rank_ns > c.ideal_ns, 100.0 * (c.rank_ns - c.ideal_ns) / nullif(last.run_ns, 0), NULL) AS computation_lost_pct
FROM study
JOIN ideal first ON first.nth = 1
JOIN ideal last ON last.nth = (SELECT max(nth) FROM size)
LEFT JOIN (
	SELECT *
	FROM scaled
	WHERE what = 'wait' AND nth = (SELECT max(nth) FROM size) AND lost_ns > 0
	ORDER BY lost_ns DESC, key
	LIMIT 1) w ON true
LEFT JOIN scaled m ON m.what = 'time' AND m.cause = 'in MPI' AND m.nth = last.nth
LEFT JOIN (
	SELECT sum(iif(cause = 'run', rank_ns, -rank_ns)) AS rank_ns, sum(iif(cause = 'run', ideal_ns, -ideal_ns)) AS ideal_ns
	FROM scaled
	WHERE what = 'time' AND cause IN ('run', 'in MPI', 'tryst itself') AND nth = (SELECT max(nth) FROM size)) c ON true
