-- SPDX-License-Identifier: BSD-3-Clause
-- Mean error of each model by regime, beside how well the same lengths repeat.
WITH e AS (
	SELECT *, coalesce(regime, '') AS r, abs(error_pct) AS off FROM comparison
	WHERE delay_ns = 0 AND what = 'round_trip'
), again AS (
	SELECT from_rank, to_rank, r, avg(off) AS pct FROM e
	WHERE model = 'repeatability' GROUP BY 1, 2, 3
)
SELECT e.from_rank || '-' || e.to_rank AS pair, tier, regime, model, count(*) AS lengths,
	avg(off) AS mean_error_pct, pct AS repeatability_pct, max(off) AS worst_error_pct,
	avg(error_pct) AS bias_pct
FROM e LEFT JOIN again USING (from_rank, to_rank, r)
WHERE model <> 'repeatability'
GROUP BY from_rank, to_rank, model, regime
ORDER BY from_rank, to_rank, CASE regime WHEN 'short' THEN 1 WHEN 'eager' THEN 2 ELSE 3 END, avg(off)
