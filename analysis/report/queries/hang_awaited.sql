-- SPDX-License-Identifier: BSD-3-Clause
-- What stuck ranks wait for.
--
-- held: ranks that wait in their last call. stuck: the same ranks, if no pending message has
-- found its partner; else none.
--
-- awaited: what a rank waits for in the one call that it is in. The requests of a call are not
-- recorded: MPI_Waitall may wait for any pending request.
--
-- joint: collectives known to need data of all members, or of the root. Others are left out,
-- for example MPI_Scan and those that may have empty parts. A joint collective waits for every
-- member that has not begun it. missing_row keeps only the lowest such rank that waits and is
-- not in alone_goes_on. alone_goes_on: ranks that may go on if collectives are left aside.
CREATE TEMP TABLE held AS
SELECT *
FROM at_end
WHERE rank NOT IN (SELECT rank FROM wrong)
	AND (NOT runs
		OR (SELECT max(ns) FROM open_call o WHERE o.rank = at_end.rank) >= 5000000000);

CREATE TEMP TABLE stuck AS
SELECT *
FROM held
WHERE ((SELECT count(*) FROM pending WHERE kind IN ('send', 'recv') AND NOT cancelled) - (
		SELECT coalesce(sum(ops), 0)
		FROM match_summary
		WHERE reason = 'pending')) = 0;

-- plain: the call's name without its forms: mpi_allreduce.
CREATE TEMP VIEW pending_collective AS
SELECT *, trim(lower(replace(replace(replace(call || ' ', '_c ', ' '), '_init ', ' '),
		'MPI_I', 'MPI_'))) AS plain
FROM pending
WHERE kind = 'collective';

CREATE TEMP TABLE joint AS
SELECT p.rank, p.op_id, c.uid, p.in_call, p.call,
	iif(p.plain IN ('mpi_bcast', 'mpi_scatter'), p.peer, NULL) AS root,
	nullif(c.name, '') AS comm_name, iif(c.name <> '', NULL, p.comm) AS comm_number
FROM stuck s
JOIN pending_collective p ON p.rank = s.rank
JOIN comm_row c ON c.rank = p.rank AND c.comm = p.comm
WHERE c.uid NOT NULL AND c.remote_size IS NULL
	AND (p.plain IN ('mpi_barrier', 'mpi_allreduce', 'mpi_allgather', 'mpi_alltoall',
			'mpi_reduce_scatter_block')
		OR (p.plain IN ('mpi_bcast', 'mpi_scatter') AND p.peer <> p.rank)
		OR (p.plain IN ('mpi_reduce', 'mpi_gather') AND p.peer = p.rank));

CREATE TEMP TABLE awaited AS
SELECT rank, peer, 0 AS op_id, call, NULL AS awaited, kind, peer AS message_peer,
	nullif(tag, -1) AS tag, NULL AS uid, NULL AS root, NULL AS comm_name, NULL AS comm_number
FROM stuck
WHERE calls = 1 AND kind IN ('send', 'recv')
UNION ALL SELECT rank, NULL, op_id, call, NULL, 'collective', NULL, NULL, uid, root, comm_name,
	comm_number
FROM joint
WHERE in_call AND rank IN (SELECT rank FROM stuck WHERE calls = 1)
UNION ALL SELECT s.rank, iif(p.kind IN ('send', 'recv'), p.peer, NULL), p.op_id, s.call, p.call,
	p.kind, p.peer, nullif(max(p.tag, -1), -1), j.uid, j.root, j.comm_name, j.comm_number
FROM stuck s
JOIN pending p ON p.rank = s.rank AND p.kind <> 'call' AND NOT p.cancelled
LEFT JOIN joint j ON j.rank = p.rank AND j.op_id = p.op_id AND p.kind = 'collective'
	AND j.uid = (SELECT c.uid FROM comm_row c WHERE c.rank = p.rank AND c.comm = p.comm)
WHERE s.calls = 1 AND (s.call = 'MPI_Waitall'
		OR (s.call = 'MPI_Wait'
			AND (
			SELECT count(*)
			FROM pending q
			WHERE q.rank = s.rank AND q.kind <> 'call' AND NOT q.cancelled) = 1));

CREATE TEMP TABLE waiter (rank INTEGER PRIMARY KEY);

INSERT INTO waiter
SELECT DISTINCT rank
FROM awaited
WHERE peer <> rank OR uid NOT NULL;

CREATE TEMP TABLE alone_goes_on (rank INTEGER PRIMARY KEY);

INSERT INTO alone_goes_on
WITH RECURSIVE r(rank) AS (
	SELECT rank
	FROM awaited
	WHERE uid IS NULL AND (peer IS NULL OR peer NOT IN (SELECT rank FROM waiter))
	UNION SELECT a.rank
	FROM r
	JOIN awaited a ON a.peer = r.rank)
SELECT rank
FROM r;

CREATE TEMP TABLE missing_row (uid INTEGER, seq INTEGER, rank INTEGER, PRIMARY KEY (uid, seq))
	WITHOUT ROWID;

INSERT INTO missing_row
SELECT g.uid, g.op_id, min(m.rank)
FROM (SELECT DISTINCT uid, op_id FROM awaited WHERE uid NOT NULL AND root IS NULL) g
JOIN reached m ON m.uid = g.uid AND m.seq < g.op_id
WHERE m.rank IN (SELECT rank FROM waiter) AND m.rank NOT IN (SELECT rank FROM alone_goes_on)
GROUP BY 1, 2;

UPDATE awaited
SET peer = iif(root IS NULL,
		(SELECT m.rank FROM missing_row m WHERE m.uid = awaited.uid AND m.seq = op_id),
		(
		SELECT m.rank
		FROM reached m
		WHERE m.uid = awaited.uid AND m.rank = root AND m.seq < op_id))
WHERE uid NOT NULL;
