-- SPDX-License-Identifier: BSD-3-Clause
-- What the other side did. Its post is in the time of its own clock; by how much it was late is
-- the same on any clock. late_ns: by how much the other side was late. For a send that waited
-- for its receive this is all of it, even if other messages caused a part of the wait.
-- inside_ns: for how much of late_ns the other side was inside MPI. before_ns: how much of
-- late_ns passed before the receive was posted, for a send that did not need its receive.
CREATE TEMP TABLE peer_side (place TEXT, call INTEGER, kind TEXT, protocol TEXT,
		cause TEXT, late_ns INTEGER, inside_ns INTEGER, before_ns INTEGER,
		synchronous INTEGER, peer_call INTEGER, peer_place TEXT, done_call INTEGER,
		done_place TEXT);

INSERT INTO peer_side
WITH w AS (
	SELECT s.*, o.rank, o.call, o.kind, o.callsite, o.mode, o.until_done,
		iif(s.cause = 'late_receiver', max(late_ns, apart - o.until_done), late_ns) AS lateness
	FROM waited s
	CROSS JOIN sample_op o ON o.id = s.op)
SELECT coalesce(s.place, 'unknown'), w.call, w.kind, w.protocol, w.cause, lateness,
	iif(w.cause = 'late_receiver', inside_ns(p.rank, p.post - lateness, p.post), NULL),
	iif(w.cause = 'late_progress' AND w.protocol IS NOT 'rendezvous',
		max(min(w.late_ns, w.apart - w.until_done), 0), NULL),
	w.mode = 'synchronous', p.call, t.place, p.done_call, d.place
FROM w
CROSS JOIN sample_op p ON p.id = w.peer_op
LEFT JOIN site s ON s.rank = w.rank AND s.callsite = w.callsite
LEFT JOIN site t ON t.rank = p.rank AND t.callsite = p.callsite
LEFT JOIN site d ON d.rank = p.rank AND d.callsite = p.done_callsite;
