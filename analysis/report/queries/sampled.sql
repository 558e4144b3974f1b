-- SPDX-License-Identifier: BSD-3-Clause
-- sampled: what ranks did between two calls, as the kernel's samples show it. place: of the call after the computation;
-- after: of the call before it, '' if there is none. heavy: the function with most of the CPU time, at its line with
-- most of it. no_cpu_pct, asleep_pct: shares of the time; CPU time is the rest. NULL below 5 % and ten samples.
-- sleeps: the rank sleeps or is blocked for at least half of the time. thread -1: all of a rank that call MPI; rank -1:
-- all ranks.
CREATE TEMP TABLE sample_line AS
SELECT c.rank, c.thread, coalesce(s.place, '') AS place, coalesce(a.place, '') AS after,
	coalesce(l.place, 'unknown') AS line,
	coalesce(substr(f.function, 1, instr(f.function || ' (inlined', ' (inlined') - 1), m.path,
		'') AS function,
	sum(count) AS n, sum(1.0 * count * r.value) AS ns
FROM sample_cell c
JOIN run r ON r.rank = c.rank AND r.key = 'sample_period_ns'
LEFT JOIN site s ON s.rank = c.rank AND s.callsite = c.callsite
LEFT JOIN site a ON a.rank = c.rank AND a.callsite = c.after
LEFT JOIN site l ON l.rank = c.rank AND l.callsite = c.place
LEFT JOIN site_row t ON t.rank = c.rank AND t.callsite = c.place
LEFT JOIN frame_row f ON f.rank = coalesce(t.first_rank, c.rank)
	AND f.callsite = coalesce(t.first_callsite, c.place) AND f.frame = 0
LEFT JOIN module_row m ON m.rank = f.rank AND m.module = f.module
WHERE c.thread >= 0
GROUP BY 1, 2, 3, 4, 5, 6;

INSERT INTO sample_line
SELECT rank, -1, place, after, line, function, sum(n), sum(ns)
FROM sample_line GROUP BY 1, 3, 4, 5, 6;

INSERT INTO sample_line
SELECT -1, -1, place, after, line, function, sum(n), sum(ns)
FROM sample_line WHERE thread = -1 GROUP BY 3, 4, 5, 6;

CREATE TEMP TABLE off_time AS
SELECT o.rank, o.thread, coalesce(s.place, '') AS place, coalesce(a.place, '') AS after,
	sum(iif(off_as = 'preempted', ns, 0)) AS no_cpu_ns,
	sum(iif(off_as = 'gave_up', ns, 0)) AS asleep_ns
FROM (
	SELECT rank, thread, callsite, after, off_as, span AS ns FROM off_cpu_row_fields
	UNION ALL
	SELECT rank, thread, callsite, after, off_as, ns FROM off_cpu_cell_fields) o
LEFT JOIN site s ON s.rank = o.rank AND s.callsite = o.callsite
LEFT JOIN site a ON a.rank = o.rank AND a.callsite = o.after
WHERE off_as IN ('preempted', 'gave_up') AND o.thread >= 0
GROUP BY 1, 2, 3, 4;

INSERT INTO off_time
SELECT rank, -1, place, after, sum(no_cpu_ns), sum(asleep_ns) FROM off_time GROUP BY 1, 3, 4;

INSERT INTO off_time
SELECT -1, -1, place, after, sum(no_cpu_ns), sum(asleep_ns)
FROM off_time WHERE thread = -1 GROUP BY 3, 4;

CREATE TEMP TABLE sampled (rank INTEGER, thread INTEGER, place TEXT, after TEXT, heavy TEXT,
	heavy_pct REAL, no_cpu_pct REAL, asleep_pct REAL, sleeps INTEGER, PRIMARY KEY (rank, thread, place, after))
	WITHOUT ROWID;

INSERT INTO sampled
WITH by_function AS (
	SELECT rank, thread, place, after, line, sum(n) AS n, sum(ns) AS ns, max(n)
	FROM sample_line GROUP BY 1, 2, 3, 4, function),
	computing AS (
	SELECT rank, thread, place, after, line, sum(n) AS n, sum(ns) AS ns,
		100.0 * max(n) / sum(n) AS pct
	FROM by_function GROUP BY 1, 2, 3, 4),
	least AS (SELECT 10 * max(value) AS ns FROM run WHERE key = 'sample_period_ns'),
	both AS (
	SELECT rank, thread, place, after, line, n, pct, coalesce(ns, 0) AS ns,
		coalesce(no_cpu_ns, 0) AS no_cpu_ns, coalesce(asleep_ns, 0) AS asleep_ns
	FROM (
		SELECT rank, thread, place, after FROM computing
		UNION SELECT rank, thread, place, after FROM off_time)
	LEFT JOIN computing USING (rank, thread, place, after)
	LEFT JOIN off_time USING (rank, thread, place, after)),
	share AS (
	SELECT *, ns + no_cpu_ns + asleep_ns >= (SELECT ns FROM least) AS counts,
		100.0 * no_cpu_ns / nullif(ns + no_cpu_ns + asleep_ns, 0) AS no_cpu_pct,
		100.0 * asleep_ns / nullif(ns + no_cpu_ns + asleep_ns, 0) AS asleep_pct
	FROM both)
SELECT rank, thread, place, after, iif(n >= 10 AND pct >= 5, line, NULL),
	iif(n >= 10 AND pct >= 5, pct, NULL), iif(counts AND no_cpu_pct >= 5, no_cpu_pct, NULL),
	iif(counts AND asleep_pct >= 5, asleep_pct, NULL), coalesce(counts AND asleep_pct >= 50, 0)
FROM share;
