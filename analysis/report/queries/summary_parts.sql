-- SPDX-License-Identifier: BSD-3-Clause
-- Facts of the run as a whole. programs: the programs with their arguments, each with its ranks
-- if there are several. If no rank recorded its program, they are those that tryst run started.
-- none_came_out: ranks ran, but MPI_Init returned on none. slept: time outside MPI in which a
-- rank neither ran nor was ready to run. Only ranks with one thread have it: the kernel
-- accounts for the first thread alone.
CREATE TEMP VIEW programs AS
SELECT coalesce((
	SELECT group_concat(text || iif(programs > 1,
				printf(' (rank%s %s)', iif(ranks GLOB '*[^0-9]*', 's', ''),
					ranks), ''), ' : ')
		|| iif(max(programs) > 3, printf(' : ... and %d more', max(programs) - 3), '')
	FROM (
		SELECT text, rank_list(rank) AS ranks, count(*) OVER () AS programs
		FROM (
			SELECT rank, coalesce(max(iif(key = 'arguments', value, NULL)),
					max(iif(key = 'program', value, NULL))) AS text
			FROM run
			WHERE key IN ('arguments', 'program')
			GROUP BY rank
			ORDER BY rank)
		WHERE text NOT NULL
		GROUP BY text
		ORDER BY min(rank)
		LIMIT 3)), (
	SELECT group_concat(program, ' : ')
	FROM (SELECT DISTINCT program FROM started ORDER BY 1 LIMIT 3))) AS text;

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

CREATE TEMP VIEW none_came_out AS
SELECT EXISTS (SELECT 1 FROM known) AND NOT EXISTS (
	SELECT 1
	FROM known
	WHERE rank NOT IN (SELECT rank FROM run WHERE key = 'in_init')) AS so;

CREATE TEMP VIEW ranks_in_all AS
SELECT max(coalesce((SELECT max(CAST(value AS INTEGER)) FROM run WHERE key = 'world_size'), 0),
		(SELECT count(*) FROM known)) AS n;

CREATE TEMP VIEW slept AS
SELECT sum(max(t.ns - c.ns - m.ns, 0)) AS slept
FROM rank_time t
JOIN (SELECT rank, CAST(value AS INTEGER) AS ns FROM run WHERE key = 'end_ns') e USING (rank, ns)
JOIN (
	SELECT rank, sum(CAST(value AS INTEGER)) AS ns
	FROM run
	WHERE key IN ('cpu_ns', 'cpu_wait_ns')
	GROUP BY rank) c ON c.rank = t.rank
JOIN (SELECT rank, ns FROM rank_time WHERE part = 1) m ON m.rank = t.rank
WHERE t.part = 0;
