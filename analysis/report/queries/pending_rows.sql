-- SPDX-License-Identifier: BSD-3-Clause
-- pending_row: operations that did not complete. A killed rank records nothing after its last
-- call, but other ranks may. least_ns: the age at the last record of any rank, by the hosts'
-- clocks. age_ns: the age when the rank was found to be gone (unseen). For ranks that run on this
-- host, both are the age when the first of them was read; for other running ranks, when that rank
-- was read.
CREATE TEMP VIEW pending_row AS
WITH unseen AS (
	SELECT rank, max(g.value - e.value, 0) AS ns
	FROM run g
	JOIN run e USING (rank)
	WHERE g.key = 'found_dead_ns' AND e.key = 'end_ns'),
	row AS (
	SELECT p.rank, p.op_id, p.call, p.kind, p.peer, p.tag, p.comm, p.bytes,
		max(p.age_ns - coalesce(u.ns, 0) + coalesce(l.ns, 0), 0) AS least_ns,
		max(p.age_ns + min(coalesce(l.ns, 0), 0),
			p.age_ns - coalesce(u.ns, 0) + coalesce(l.ns, 0), 0) AS age_ns,
		p.in_call, p.cancelled, s.place,
		(SELECT state = 'unfinished' FROM input i WHERE i.rank = p.rank) AS runs
	FROM pending p
	LEFT JOIN site s ON s.rank = p.rank AND s.callsite = p.callsite
	LEFT JOIN unseen u ON u.rank = p.rank
	LEFT JOIN later l ON l.rank = p.rank
	WHERE p.call NOT IN ('MPI_Wtime', 'MPI_Wtick'))
SELECT *
FROM row;
