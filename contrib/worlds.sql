-- SPDX-License-Identifier: BSD-3-Clause
-- Messages between a program and the processes that it spawned, both sides in a row. In the directory of
-- the run, once each side is merged:
--
--	tryst merge . && tryst merge world-1 && sqlite3 -box run.db <worlds.sql
--
-- Both sides know the intercommunicator by the same uid; on it the n-th send to a rank with a tag is the n-th
-- receive from there. Times are each world's own: their zeros differ.
ATTACH 'world-1/run.db' AS spawned;
WITH side(spawned, kind, uid, rank, peer, tag, bytes, blocked_ns, wait_ns, nth) AS (
	SELECT 0, kind, uid, o.rank, peer, tag, bytes, blocked_ns, wait_ns,
		row_number() OVER (PARTITION BY kind, uid, o.rank, peer, tag ORDER BY op_id)
	FROM main.op o JOIN main.communicator c ON c.rank = o.rank AND c.comm = o.comm
	WHERE o.peer_world IS NOT NULL
	UNION ALL SELECT 1, kind, uid, o.rank, peer, tag, bytes, blocked_ns, wait_ns,
		row_number() OVER (PARTITION BY kind, uid, o.rank, peer, tag ORDER BY op_id)
	FROM spawned.op o JOIN spawned.communicator c ON c.rank = o.rank AND c.comm = o.comm
	WHERE o.peer_world IS NOT NULL)
SELECT CASE s.spawned WHEN 1 THEN 'spawned ' ELSE '' END || s.rank AS sender,
	CASE r.spawned WHEN 1 THEN 'spawned ' ELSE '' END || r.rank AS receiver,
	s.tag, s.bytes, s.blocked_ns AS send_blocked_ns, s.wait_ns AS send_wait_ns,
	r.blocked_ns AS recv_blocked_ns, r.wait_ns AS recv_wait_ns
FROM side s JOIN side r ON s.uid = r.uid AND s.spawned <> r.spawned AND s.rank = r.peer AND
	s.peer = r.rank AND s.tag = r.tag AND s.nth = r.nth
WHERE s.kind = 'send' AND r.kind = 'recv'
ORDER BY s.wait_ns + r.wait_ns DESC;
