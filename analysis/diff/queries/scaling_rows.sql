-- SPDX-License-Identifier: BSD-3-Clause
-- The places of a scaling study for machines: one row for each place and number of ranks. Places that lose most time
-- at the most ranks come first.

-- query scaling_waits: waits by callsite and cause
SELECT "where", call, cause, ranks, count, rank_ns, ideal_ns, lost_ns, lost_pct, efficiency_pct, growth
FROM scaled_row WHERE what = 'wait' AND nth_place <= :top ORDER BY nth_place, nth

-- query scaling_calls: time in MPI by callsite
SELECT "where", call, ranks, count, rank_ns, ideal_ns, lost_ns, lost_pct, efficiency_pct, growth
FROM scaled_row WHERE what = 'call' AND nth_place <= :top ORDER BY nth_place, nth

-- query scaling_waits_text: the same, a column for each number of ranks (view by_size)
SELECT place AS "where", call, cause, b.*, round(lost_pct, 1) AS lost_pct, iif(growth NOT NULL, printf('ranks^%.1f', growth), NULL) AS growth
FROM scaled s JOIN by_size b USING (key) LEFT JOIN growth USING (key)
WHERE what = 'wait' AND nth = (SELECT max(nth) FROM size) ORDER BY lost_ns DESC, key LIMIT :top

-- query scaling_calls_text: the same
SELECT place AS "where", call, b.*, round(lost_pct, 1) AS lost_pct, iif(growth NOT NULL, printf('ranks^%.1f', growth), NULL) AS growth
FROM scaled s JOIN by_size b USING (key) LEFT JOIN growth USING (key)
WHERE what = 'call' AND nth = (SELECT max(nth) FROM size) ORDER BY lost_ns DESC, key LIMIT :top
