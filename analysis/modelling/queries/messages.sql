-- SPDX-License-Identifier: BSD-3-Clause
-- Messages whose receive was posted early, as samples. If one clock is ahead of the other,
-- messages look faster one way and slower the other way. Half the difference between the
-- fastest short messages of both ways is subtracted first.
WITH side AS (
	SELECT kind, CASE kind WHEN 'send' THEN o.rank ELSE peer END AS a,
		CASE kind WHEN 'send' THEN peer ELSE o.rank END AS b, tag, uid, bytes, call,
		post_enter_ns AS post, complete_leave_ns AS done, row_number() OVER w AS k,
		count(*) OVER (PARTITION BY kind, o.rank, peer, tag, uid) AS n
	FROM op o JOIN communicator c ON c.rank = o.rank AND c.comm = o.comm
	WHERE peer IS NOT NULL AND o.peer_world IS NULL
	WINDOW w AS (PARTITION BY kind, o.rank, peer, tag, uid ORDER BY op_id)
), message AS (
	SELECT s.a, s.b, s.bytes, s.post AS sent, r.post AS asked, r.done
	FROM side s JOIN side r ON r.kind = 'recv' AND r.a = s.a AND r.b = s.b AND r.tag = s.tag
		AND r.uid = s.uid AND r.k = s.k AND r.n = s.n AND r.bytes = s.bytes
	WHERE s.kind = 'send' AND s.call = 'MPI_Send' AND s.a <> s.b AND r.call = 'MPI_Recv'
), fastest AS (
	SELECT a, b, min(done - sent) AS ns FROM message WHERE bytes <= 256 GROUP BY a, b
), ahead AS (
	SELECT f.a, f.b, (f.ns - g.ns) / 2.0 AS ns
	FROM fastest f JOIN fastest g ON g.a = f.b AND g.b = f.a
), even AS (
	SELECT m.a, m.b, bytes, done - sent - coalesce(h.ns, 0) AS ns
	FROM message m LEFT JOIN ahead h ON h.a = m.a AND h.b = m.b
	WHERE asked - sent - coalesce(h.ns, 0) <= 0.03 * (done - sent - coalesce(h.ns, 0))
		AND done - sent - coalesce(h.ns, 0) > 0
), counted AS (
	SELECT *, row_number() OVER (PARTITION BY a, b, bytes ORDER BY ns) AS place,
		count(*) OVER (PARTITION BY a, b, bytes) AS n
	FROM even
)
SELECT a, b, 'message', bytes, 2 * ns, place FROM counted WHERE n >= 8
