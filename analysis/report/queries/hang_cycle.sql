-- SPDX-License-Identifier: BSD-3-Clause
-- cycle: ranks that wait for each other in a ring, the first six of it. steps: how many are in the ring; others: how
-- many more ranks can never go on.
-- goes_on: ranks that may go on, because a rank that does not wait may release them, directly or
-- through others. edge: for each other rank its oldest request and the request's peer. This peer
-- has an edge, too. A walk along the edges therefore ends in a circle.
CREATE INDEX awaited_by ON awaited (peer, rank);

CREATE TEMP TABLE goes_on (rank INTEGER PRIMARY KEY);

INSERT INTO goes_on
WITH RECURSIVE r(rank) AS (
	SELECT rank
	FROM awaited
	WHERE peer IS NULL OR peer NOT IN (SELECT rank FROM waiter)
	UNION SELECT a.rank
	FROM r
	JOIN awaited a ON a.peer = r.rank)
SELECT rank
FROM r;

CREATE TEMP TABLE edge (rank INTEGER PRIMARY KEY, peer INTEGER, request INTEGER);

INSERT INTO edge
SELECT rank, peer, request
FROM (
	SELECT rank, peer, rowid AS request, min(op_id)
	FROM awaited
	WHERE peer <> rank AND rank NOT IN (SELECT rank FROM goes_on)
	GROUP BY rank);

CREATE TEMP TABLE circle AS
WITH RECURSIVE walk(at, n) AS (
	SELECT min(rank), 0
	FROM edge
	UNION ALL SELECT peer, n + 1
	FROM walk
	JOIN edge ON rank = at
	WHERE n < (SELECT count(*) FROM edge)),
	ring(at) AS (
	SELECT at
	FROM (SELECT at, max(n) FROM walk)
	UNION SELECT peer
	FROM ring
	JOIN edge ON rank = at)
SELECT min(at) AS start, count(*) AS steps
FROM ring
WHERE at NOT NULL
HAVING steps > 0;

INSERT INTO cycle
WITH RECURSIVE member(at, n) AS (
	SELECT start, 1
	FROM circle
	UNION ALL SELECT peer, n + 1
	FROM member
	JOIN edge ON edge.rank = at, circle
	WHERE n < min(steps, 6))
SELECT n, a.rank, a.call, a.awaited, a.kind, a.message_peer, a.tag, a.op_id, a.comm_name,
	a.comm_number, iif(a.uid NOT NULL, a.peer, NULL), steps, (SELECT count(*) FROM edge) - steps
FROM member
JOIN edge ON edge.rank = at
JOIN awaited a ON a.rowid = edge.request
JOIN circle;
