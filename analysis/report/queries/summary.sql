-- SPDX-License-Identifier: BSD-3-Clause
-- What ran, where, and for how long. ranks_read: ranks of which something is known. run_most_ns: upper limit
-- of the run time if the end of some ranks was not seen; NULL: unknown. no_processor_ns, slept_outside_ns:
-- NULL: unknown. wait_no_cpu_ns, wait_blocked_ns: parts of all waits; NULL without an
-- analysis, or if some rank did not record times without a CPU. Needs what summary_parts.sql and times.sql
-- make. in_init: ranks ran, but MPI_Init returned on none. runs: ranks that still run, as far as can be seen.
SELECT (SELECT group_concat(program, ' : ') FROM (SELECT program FROM program_row LIMIT 3)) AS
	program,
	(SELECT count(*) FROM known) AS ranks_read, (SELECT n FROM ranks_in_all) AS ranks,
	(SELECT n FROM hosts) AS hosts, (SELECT text FROM mpi_library) AS mpi, last AS run_ns,
	iif(unseen, iif(unseen = bounded, max(most, last), NULL), last) AS run_most_ns, all_ranks_ns,
	no_processor_ns, slept AS slept_outside_ns,
	(SELECT value FROM match_info WHERE key = 'messages') AS messages,
	iif(EXISTS (SELECT 1 FROM match_info),
		(SELECT coalesce(sum(ops), 0) FROM match_summary WHERE NOT matched), NULL) AS
	ops_without_partner, iif(EXISTS (SELECT 1 FROM match_info),
		(SELECT coalesce(sum(ops), 0) FROM match_summary WHERE reason = 'not_received'),
		NULL) AS not_received,
	(SELECT group_concat(path, ', ') FROM world) AS spawned_worlds,
	EXISTS (SELECT 1 FROM known) AND NOT EXISTS (
		SELECT 1
		FROM known
		WHERE rank NOT IN (SELECT rank FROM run WHERE key = 'in_init')) AS in_init,
	(SELECT count(*) FROM input WHERE state = 'unfinished') AS runs,
	100.0 * no_processor_ns / nullif(all_ranks_ns, 0) AS no_processor_pct,
	100.0 * slept / (SELECT nullif(sum(ns), 0) FROM rank_time WHERE part = 'run') AS slept_pct,
	iif(sampled, lost_ns, NULL) AS wait_no_cpu_ns, 100.0 * lost_ns / nullif(wait_ns, 0) AS
	wait_no_cpu_pct, iif(sampled, blocked_ns, NULL) AS wait_blocked_ns,
	100.0 * blocked_ns / nullif(wait_ns, 0) AS wait_blocked_pct
FROM (
	SELECT max(CAST(value AS INTEGER)) FILTER (WHERE key = 'end_ns') AS last,
		sum(CAST(value AS INTEGER)) FILTER (WHERE key = 'end_ns') AS all_ranks_ns,
		(SELECT sum(ns) FROM cpu_shortage) AS no_processor_ns
	FROM run),
	(
	SELECT count(*) AS unseen, count(most_ns) AS bounded, max(most_ns) AS most
	FROM unseen_end), slept, lost_in_waits
