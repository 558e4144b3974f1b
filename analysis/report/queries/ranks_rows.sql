-- SPDX-License-Identifier: BSD-3-Clause
-- rank_row: what a rank did with its time, in parts that do not overlap. asleep_ns: outside MPI, threads that call MPI
-- slept or were blocked, 20 us or longer (off_cpu); 0 without samples. computing_ns: the rest of the time outside MPI
-- and tryst. tool_ns: recording. other_ns: in MPI, and in no other part. A part that no rank has is 0.
--
-- kind_row: the same, one row for each kind. letter: for bars of text. The cost of recording counts from 1 % on.
CREATE TEMP TABLE asleep (rank INTEGER PRIMARY KEY, ns INTEGER);

INSERT INTO asleep
SELECT rank, sum(ns)
FROM (
	SELECT rank, thread, span AS ns FROM off_cpu_row_fields WHERE off_as = 'gave_up'
	UNION ALL
	SELECT rank, thread, ns FROM off_cpu_cell_fields WHERE off_as = 'gave_up') o
WHERE EXISTS (SELECT 1 FROM call_cell c WHERE c.rank = o.rank AND c.thread = o.thread)
GROUP BY rank;

CREATE TEMP VIEW rank_row AS
SELECT rank, run_ns, max(outside_ns - asleep_ns, 0) AS computing_ns, min(asleep_ns, outside_ns) AS asleep_ns, message_wait_ns,
	collective_wait_ns, polling_ns, unpredicted_ns, not_returned_ns, tool_ns,
	max(mpi_ns - message_wait_ns - collective_wait_ns - polling_ns - unpredicted_ns - not_returned_ns, 0) AS
	other_ns
FROM (
	SELECT *, max(run_ns - mpi_ns - tool_ns, 0) AS outside_ns,
		coalesce((SELECT ns FROM asleep a WHERE a.rank = t.rank), 0) AS asleep_ns
	FROM (
		SELECT rank, coalesce(sum(ns) FILTER (WHERE part = 'run'), 0) AS run_ns,
			coalesce(sum(ns) FILTER (WHERE part = 'mpi'), 0) AS mpi_ns,
			coalesce(sum(ns) FILTER (WHERE part = 'tool'), 0) AS tool_ns,
			coalesce(sum(ns) FILTER (WHERE part = 'waits'), 0) AS message_wait_ns,
			coalesce(sum(ns) FILTER (WHERE part = 'collective_waits'), 0) AS collective_wait_ns,
			coalesce(sum(ns) FILTER (WHERE part = 'polling'), 0) AS polling_ns,
			coalesce(sum(ns) FILTER (WHERE part = 'unpredicted'), 0) AS unpredicted_ns,
			coalesce(sum(ns) FILTER (WHERE part = 'not_returned'), 0) AS not_returned_ns
		FROM rank_time
		GROUP BY rank) t);

CREATE TEMP VIEW kind_row AS
WITH s AS (
	SELECT sum(run_ns) AS run_ns, sum(computing_ns) AS computing_ns, sum(asleep_ns) AS asleep_ns,
		sum(message_wait_ns) AS message_wait_ns,
		sum(collective_wait_ns) AS collective_wait_ns, sum(polling_ns) AS polling_ns,
		sum(unpredicted_ns) AS unpredicted_ns, sum(not_returned_ns) AS not_returned_ns,
		sum(other_ns) AS other_ns, sum(tool_ns) AS tool_ns
	FROM rank_row)
SELECT column1 AS nth, column2 AS kind, column3 AS letter, column4 AS ns,
	100.0 * column4 / nullif((SELECT run_ns FROM s), 0) AS share_pct
FROM (
	VALUES (1, 'computing', '#', (SELECT computing_ns FROM s)),
		(2, 'asleep outside MPI', 'z', (SELECT asleep_ns FROM s)),
		(3, 'waiting in messages', 'w', (SELECT message_wait_ns FROM s)),
		(4, 'waiting in collectives', 'c', (SELECT collective_wait_ns FROM s)),
		(5, 'polling', 'p', (SELECT polling_ns FROM s)),
		(6, 'messages not predicted', '?', (SELECT unpredicted_ns FROM s)),
		(7, 'not returned', '!', (SELECT not_returned_ns FROM s)),
		(8, 'rest of the time in MPI', 'm', (SELECT other_ns FROM s)),
		(9, 'tryst itself', 't', (SELECT tool_ns FROM s)))
WHERE column4 > 0 AND (column3 <> 't' OR column4 * 100 >= (SELECT run_ns FROM s));
