-- SPDX-License-Identifier: BSD-3-Clause
-- A scaling study. size: each number of ranks, the mean of its runs; ranks_read: of all of them. study.weak: the program
-- has more work with more ranks. part: the mean time of a rank in a place, at each size. Times are those of a rank unless
-- the name says all.
CREATE TEMP TABLE size (nth INTEGER PRIMARY KEY, ranks INTEGER, runs INTEGER, ranks_read INTEGER, run_ns REAL);
CREATE TEMP TABLE study (weak INTEGER);
CREATE TEMP TABLE part (key TEXT, what TEXT, place TEXT, call TEXT, cause TEXT, ranks INTEGER, count REAL, rank_ns REAL);
CREATE INDEX part_key ON part (key, ranks);

-- ideal: the part of the smallest size's time that ideal scaling would need.
CREATE TEMP VIEW ideal AS
SELECT nth, ranks, runs, run_ns, iif(weak, 1.0, 1.0 * first / ranks) AS share, iif(weak, 1.0 * ranks / first, 1.0) AS work,
	first_ns
FROM size, study, (
	SELECT ranks AS first, run_ns AS first_ns
	FROM size
	WHERE nth = 1);

-- Each place at each size. lost: the time beyond the ideal one; its share is of the run.
CREATE TEMP VIEW scaled AS
SELECT p.key, p.what, p.place, p.call, p.cause, i.nth, i.ranks, coalesce(q.count, 0) AS count, coalesce(q.rank_ns, 0) AS rank_ns,
	share * coalesce(f.rank_ns, 0) AS ideal_ns, coalesce(q.rank_ns, 0) - share * coalesce(f.rank_ns, 0) AS lost_ns,
	100.0 * (coalesce(q.rank_ns, 0) - share * coalesce(f.rank_ns, 0)) / nullif(run_ns, 0) AS lost_pct,
	100.0 * share * f.rank_ns / nullif(q.rank_ns, 0) AS efficiency_pct
FROM (
	SELECT key, what, max(place) AS place, call, cause
	FROM part
	GROUP BY key) p
CROSS JOIN ideal i
LEFT JOIN part q ON q.key = p.key AND q.ranks = i.ranks
LEFT JOIN part f ON f.key = p.key AND f.ranks = (SELECT ranks FROM size WHERE nth = 1);

-- growth: the exponent k of ranks^k that fits the time of a rank best (least squares of logarithms).
CREATE TEMP VIEW growth AS
SELECT key, (n * sum_xy - sum_x * sum_y) / nullif(n * sum_xx - sum_x * sum_x, 0) AS growth
FROM (
	SELECT key, count(*) AS n, sum(x) AS sum_x, sum(y) AS sum_y, sum(x * y) AS sum_xy, sum(x * x) AS sum_xx
	FROM (
		SELECT key, natural_log(ranks) AS x, natural_log(rank_ns) AS y
		FROM part
		WHERE rank_ns > 0)
	GROUP BY key)
WHERE n > 1;

-- scaled, rounded for CSV and JSON. nth_place: 1 is the place that loses most time at the most ranks.
CREATE TEMP VIEW scaled_row AS
SELECT what, dense_rank() OVER (PARTITION BY what ORDER BY most_ns DESC, key) AS nth_place, nth, place AS "where", call,
	cause, ranks, CAST(count AS INTEGER) AS count, CAST(rank_ns AS INTEGER) AS rank_ns, CAST(ideal_ns AS INTEGER) AS ideal_ns,
	CAST(lost_ns AS INTEGER) AS lost_ns, round(lost_pct, 2) AS lost_pct, round(efficiency_pct, 1) AS efficiency_pct,
	round(growth, 2) AS growth
FROM (
	SELECT *, last_value(lost_ns) OVER (PARTITION BY key ORDER BY nth ROWS BETWEEN UNBOUNDED PRECEDING
		AND UNBOUNDED FOLLOWING) AS most_ns
	FROM scaled)
LEFT JOIN growth USING (key);
