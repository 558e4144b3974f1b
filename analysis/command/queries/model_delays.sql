-- SPDX-License-Identifier: BSD-3-Clause
-- Errors of round trips with a delay before the receive, beside how well they repeat.
WITH e AS (
	SELECT *, abs(error_pct) AS off FROM comparison
	WHERE delay_ns > 0 AND what = 'round_trip'
), again AS (
	SELECT from_rank, to_rank, delay_ns, avg(off) AS pct FROM e
	WHERE model = 'repeatability' GROUP BY 1, 2, 3
)
SELECT e.from_rank || '-' || e.to_rank AS pair, delay_ns, model, count(*) AS lengths,
	avg(off) AS mean_error_pct, pct AS repeatability_pct, max(off) AS worst_error_pct
FROM e LEFT JOIN again USING (from_rank, to_rank, delay_ns)
WHERE model <> 'repeatability'
GROUP BY from_rank, to_rank, model, delay_ns
ORDER BY from_rank, to_rank, delay_ns, model
