-- SPDX-License-Identifier: BSD-3-Clause
-- Facts of the run as a whole. program_row: the programs with their arguments, and their ranks.
-- If no rank recorded its program, they are the first three that tryst run started. slept: time
-- outside MPI in which a rank neither ran nor was ready to run. Only ranks with one thread have
-- it: the kernel accounts for the first thread alone. cpu_shortage: time in which the first thread of a rank
-- was ready to run and had no CPU. MPI_Finalize writes the kernel's account of it. For a rank that never got there,
-- the table has the recorded times of 20 us and more.
CREATE TEMP VIEW program_row AS
WITH recorded AS (
	SELECT rank, coalesce(max(iif(key = 'arguments', value, NULL)),
			max(iif(key = 'program', value, NULL))) AS program
	FROM run
	WHERE key IN ('arguments', 'program')
	GROUP BY rank
	ORDER BY rank)
SELECT min(rank) AS nth, program, rank_list(rank) AS ranks, count(*) AS nranks,
	count(*) OVER () AS programs
FROM recorded
WHERE program NOT NULL
GROUP BY program
UNION ALL SELECT *
FROM (
	SELECT DISTINCT program, program, NULL, NULL, 1
	FROM started
	WHERE NOT EXISTS (SELECT 1 FROM recorded WHERE program NOT NULL)
	ORDER BY 1
	LIMIT 3)
ORDER BY nth;

CREATE TEMP VIEW mpi_library AS
SELECT (
	SELECT replace(substr(value, 1, instr(replace(value, char(10), ',') || ',', ',') - 1),
			' Version:' || char(9), ' ')
	FROM run
	WHERE key = 'mpi_library'
	LIMIT 1) AS text;

CREATE TEMP VIEW hosts AS
SELECT coalesce(nullif((SELECT count(DISTINCT value) FROM run WHERE key = 'host'), 0),
		(SELECT count(DISTINCT host) FROM started)) AS n;

CREATE TEMP VIEW ranks_in_all AS
SELECT max(coalesce((SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'world_size'), 0),
		(SELECT count(*) FROM known)) AS n;

-- lost_in_waits: all waits, and their parts for threads that had no CPU, and for ranks that slept or were
-- blocked. As in the verdict, what is left of calls without a prediction is no known wait. sampled: all ranks recorded these times.
CREATE TEMP VIEW lost_in_waits AS
SELECT sum(ns) AS wait_ns, sum(no_cpu) AS lost_ns, sum(blocked) AS blocked_ns,
	EXISTS (SELECT 1 FROM match_info) AND NOT EXISTS (
		SELECT 1
		FROM known
		WHERE rank NOT IN (SELECT rank FROM run WHERE key = 'sample_period_ns')) AS sampled
FROM (
	SELECT ns, no_cpu_ns - iif(protocol IS NULL, other_no_cpu_ns, 0) AS no_cpu,
		iif(protocol IS NULL, min(blocked_outside_ns, ns), blocked_outside_ns) AS blocked
	FROM (
		SELECT *, late_ns + progress_ns + order_ns + flow_ns + contention_ns
			+ iif(protocol IS NULL, 0, max(other_ns, 0)) AS ns
		FROM exact_cell_fields)
	WHERE cause NOT NULL
	UNION ALL SELECT wait, no_cpu, blocked_outside
	FROM collective_wait_row);

CREATE TEMP TABLE cpu_shortage AS
SELECT rank, CAST(value AS INTEGER) AS ns
FROM run
WHERE key = 'cpu_wait_ns'
UNION ALL SELECT rank, sum(ns)
FROM (
	SELECT rank, 0 AS ns
	FROM run
	WHERE key = 'sample_period_ns'
	UNION ALL SELECT rank, span
	FROM off_cpu_row_fields
	WHERE thread = 0 AND off_as <> 'gave_up'
	UNION ALL SELECT rank, ns
	FROM off_cpu_cell_fields
	WHERE thread = 0 AND off_as <> 'gave_up')
WHERE rank NOT IN (SELECT rank FROM run WHERE key = 'cpu_wait_ns')
GROUP BY rank;

CREATE TEMP VIEW slept AS
SELECT sum(max(t.ns - c.ns - m.ns, 0)) AS slept
FROM rank_time t
JOIN (SELECT rank, CAST(value AS INTEGER) AS ns FROM run WHERE key = 'end_ns') e USING (rank, ns)
JOIN (
	SELECT rank, sum(CAST(value AS INTEGER)) AS ns
	FROM run
	WHERE key IN ('cpu_ns', 'cpu_wait_ns')
	GROUP BY rank) c ON c.rank = t.rank
JOIN (SELECT rank, ns FROM rank_time WHERE part = 'mpi') m ON m.rank = t.rank
WHERE t.part = 'run';
