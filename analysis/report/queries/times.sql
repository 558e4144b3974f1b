-- SPDX-License-Identifier: BSD-3-Clause
-- How long ranks were where. part_name: the parts of their time in the order of the report,
-- named for text and for machines. 'run' is the run from the end of MPI_Init on; all shares
-- are of it. 'tool' is tryst's own time, and belongs to no other part.
CREATE TEMP TABLE known AS
SELECT rank
FROM input
WHERE EXISTS (SELECT 1 FROM run WHERE run.rank = input.rank);

CREATE TEMP TABLE part_name (part TEXT UNIQUE, name TEXT, plain TEXT);

INSERT INTO part_name
SELECT column1, column2, coalesce(column3, trim(column2))
FROM (
	VALUES ('run', 'run', NULL), ('mpi', 'in MPI', NULL),
		('waits', '  waiting in messages', NULL),
		('messages_without_rows', '    without rows', 'messages without rows'),
		('unpredicted', '  not predicted', NULL),
		('collectives', '  in collectives', NULL),
		('collective_waits', '    waiting there', 'waiting in collectives'),
		('collectives_without_rows', '    without rows', 'collectives without rows'),
		('not_returned', '  not returned', NULL), ('polling', '  polling', NULL),
		('other_calls', '  in other calls', NULL), ('tool', 'tryst itself', NULL));

-- Ranks whose end nobody saw: it lies between least_ns and most_ns; most_ns NULL: unknown
CREATE TEMP TABLE unseen_end (rank INTEGER PRIMARY KEY, least_ns INTEGER, most_ns INTEGER);

INSERT INTO unseen_end
SELECT e.rank, CAST(e.value AS INTEGER) AS least,
	(
	SELECT CAST(d.value AS INTEGER)
	FROM run d
	WHERE d.rank = e.rank AND d.key = 'found_dead_ns') AS most
FROM run e
JOIN run c USING (rank)
JOIN input i USING (rank)
WHERE e.key = 'end_ns' AND c.key = 'clean_finalize' AND c.value = 0 AND i.state <> 'unfinished'
	AND NOT EXISTS (
	SELECT 1
	FROM run x
	WHERE x.rank = e.rank AND x.key IN ('exited', 'in_init'))
	AND (most IS NULL OR most > 1.01 * least);

-- The time from the last record of a rank to the last record of any rank. For running ranks of
-- this host, it is negative: from the reading of the rank back to the reading of the first of them,
-- so that all ages are of one moment.
CREATE TEMP TABLE later (rank INTEGER PRIMARY KEY, ns INTEGER);

-- A rank that ran when it was read may have left its call since. In MPI_Init, a rank has no end_ns
-- yet.
INSERT INTO later
SELECT rank, CASE
	WHEN state IS NOT 'unfinished' THEN max(max(zero + ns) OVER () - zero - ns, 0)
	WHEN alive THEN min(iif(alive, zero + ns, NULL)) OVER () - zero - ns
	ELSE 0 END AS ns
FROM (
	SELECT z.rank, CAST(z.value AS INTEGER) AS zero, CAST(e.value AS INTEGER) AS ns, i.state,
		EXISTS (
		SELECT 1
		FROM run p
		WHERE p.rank = z.rank AND p.key = 'process' AND p.value = 'alive')
			AND NOT EXISTS (
		SELECT 1
		FROM run p
		WHERE p.rank = z.rank AND p.key = 'in_init') AS alive
	FROM run z
	JOIN run e USING (rank)
	LEFT JOIN input i USING (rank)
	WHERE z.key = 'zero_realtime_ns' AND e.key = 'end_ns');

-- ns: until the last record of the rank, or now; least_ns: ns and the time of table later, at least 0
CREATE TEMP TABLE open_call AS
SELECT *, max(ns + coalesce((SELECT l.ns FROM later l WHERE l.rank = o.rank), 0), 0) AS least_ns
FROM (
	SELECT c.rank, c.thread, c.call, c.callsite,
		max(CAST(r.value AS INTEGER) - max(t.enter, 0), 0) AS ns
	FROM in_call c
	JOIN in_call_row t ON t.id = first_id(c.rank) + c.thread
	JOIN run r ON r.rank = c.rank AND r.key = 'end_ns'
	WHERE c.call NOT IN ('MPI_Wtime', 'MPI_Wtick')) o;

CREATE TEMP TABLE rank_time (rank INTEGER, part TEXT, ns INTEGER, PRIMARY KEY (part, rank))
	WITHOUT ROWID;

CREATE TEMP TABLE thread_count (rank INTEGER PRIMARY KEY, n INTEGER);

INSERT INTO thread_count
SELECT rank, count(DISTINCT thread)
FROM call_cell
GROUP BY rank;

-- The calls of several threads add up: the run counts once for each thread
INSERT INTO rank_time
SELECT r.rank, 'run', CAST(value AS INTEGER) * max(1, coalesce(n, 0))
FROM run r
LEFT JOIN thread_count USING (rank)
WHERE key = 'end_ns';

-- Over what the times of all ranks are summed; NULL: one thread, no sum
CREATE TEMP TABLE summed AS
SELECT ranks, threads, CASE
	WHEN threads > ranks THEN printf('%d threads', threads)
	WHEN ranks > 1 THEN printf('%d ranks', ranks) END AS text
FROM (
	SELECT count(*) AS ranks, sum(max(1, coalesce(n, 0))) AS threads
	FROM rank_time
	LEFT JOIN thread_count USING (rank)
	WHERE part = 'run');

INSERT INTO rank_time
SELECT rank, 'mpi', sum(ns)
FROM (
	SELECT rank, time_ns AS ns
	FROM call_cell_fields
	WHERE NOT around AND NOT asks_time
	UNION ALL SELECT rank, ns
	FROM open_call)
GROUP BY rank;

INSERT INTO rank_time
SELECT rank, 'not_returned', sum(ns)
FROM open_call
WHERE (SELECT sum(ns) FROM open_call) > 0
GROUP BY rank;

INSERT INTO rank_time
SELECT rank, 'waits', sum(wait_ns)
FROM wait_cell
WHERE peer >= 0
GROUP BY rank;

-- A nonblocking collective spends most of its time in the call that completes it
INSERT INTO rank_time
SELECT rank, 'collectives', sum(ns)
FROM (
	SELECT rank, iif(call IN (SELECT id FROM call_name WHERE is_collective(name)), time_ns,
			0) AS ns
	FROM call_cell
	UNION ALL SELECT rank, coalesce(blocked, complete)
	FROM coll_row_fields
	WHERE done <> 0)
GROUP BY rank;

INSERT INTO rank_time
SELECT rank, 'tool', sum(tool_ns)
FROM call_cell_fields
WHERE NOT around
GROUP BY rank;

-- Below a hundredth of the run, polling mostly finds its message at once, and other calls are rare
CREATE TEMP TABLE untold AS
SELECT part, rank, call, callsite, sum(time_ns) AS ns
FROM call_cell
JOIN (
	SELECT id, iif(is_polling(name), 'polling', 'other_calls') AS part
	FROM call_name
	WHERE is_polling(name) OR is_other(name)) n ON n.id = call
GROUP BY rank, call, callsite;

INSERT INTO rank_time
SELECT rank, part, sum(ns)
FROM untold
JOIN (
	SELECT part
	FROM untold
	GROUP BY part
	HAVING sum(ns) * 100 >= (SELECT sum(ns) FROM rank_time WHERE part = 'run')) USING (part)
GROUP BY rank, part;
