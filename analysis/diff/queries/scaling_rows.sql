-- SPDX-License-Identifier: BSD-3-Clause
-- The places of a scaling study for machines: one row for each place and number of ranks. Places that lose most time
-- at the most ranks come first.

-- query scaling_waits: waits by callsite and cause
SELECT place AS "where", call, cause, ranks, CAST(count AS INTEGER) AS count, CAST(rank_ns AS INTEGER) AS rank_ns,
	CAST(ideal_ns AS INTEGER) AS ideal_ns, CAST(lost_ns AS INTEGER) AS lost_ns, round(lost_pct, 2) AS lost_pct,
	round(efficiency_pct, 1) AS efficiency_pct, round(growth, 2) AS growth
FROM (SELECT *, dense_rank() OVER (ORDER BY most_ns DESC, key) AS nth_place FROM (
	SELECT *, last_value(lost_ns) OVER (PARTITION BY key ORDER BY nth ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
		AS most_ns FROM scaled WHERE what = 'wait'))
LEFT JOIN growth USING (key) WHERE nth_place <= :top ORDER BY nth_place, nth

-- query scaling_calls: time in MPI by callsite
SELECT place AS "where", call, ranks, CAST(count AS INTEGER) AS count, CAST(rank_ns AS INTEGER) AS rank_ns,
	CAST(ideal_ns AS INTEGER) AS ideal_ns, CAST(lost_ns AS INTEGER) AS lost_ns, round(lost_pct, 2) AS lost_pct,
	round(efficiency_pct, 1) AS efficiency_pct, round(growth, 2) AS growth
FROM (SELECT *, dense_rank() OVER (ORDER BY most_ns DESC, key) AS nth_place FROM (
	SELECT *, last_value(lost_ns) OVER (PARTITION BY key ORDER BY nth ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
		AS most_ns FROM scaled WHERE what = 'call'))
LEFT JOIN growth USING (key) WHERE nth_place <= :top ORDER BY nth_place, nth

-- query scaling_waits_text: the same, a column for each number of ranks (view by_size)
SELECT place AS "where", call, cause, b.*, round(lost_pct, 1) AS lost_pct, iif(growth NOT NULL, printf('ranks^%.1f', growth), NULL) AS growth
FROM scaled s JOIN by_size b USING (key) LEFT JOIN growth USING (key)
WHERE what = 'wait' AND nth = (SELECT max(nth) FROM size) ORDER BY lost_ns DESC, key LIMIT :top

-- query scaling_calls_text: the same
SELECT place AS "where", call, b.*, round(lost_pct, 1) AS lost_pct, iif(growth NOT NULL, printf('ranks^%.1f', growth), NULL) AS growth
FROM scaled s JOIN by_size b USING (key) LEFT JOIN growth USING (key)
WHERE what = 'call' AND nth = (SELECT max(nth) FROM size) ORDER BY lost_ns DESC, key LIMIT :top
