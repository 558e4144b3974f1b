-- SPDX-License-Identifier: BSD-3-Clause
-- misfit: a receive without a message, and a message without a receive that differs in one
-- thing. silent: ranks that will send no more, because they are stuck or have ended. quiet:
-- communicators whose members are all silent. lone: messages of silent ranks that nobody
-- receives. If several messages fit, the report names the last one. A receive is judged only if
-- no rank that it waits for may still send.
CREATE TEMP TABLE silent (rank INTEGER PRIMARY KEY);

INSERT INTO silent
SELECT rank
FROM stuck
WHERE calls
UNION SELECT rank
FROM run
WHERE key = 'clean_finalize' AND value;

CREATE TEMP TABLE quiet AS
SELECT uid
FROM comm_row
WHERE rank IN (SELECT rank FROM silent)
GROUP BY uid
HAVING count(*) >= max(size + coalesce(remote_size, 0));

CREATE TEMP TABLE lone AS
SELECT o.id, o.rank, o.peer, o.tag, o.comm, c.uid, o.call, o.callsite
FROM op_row_fields o
JOIN comm_row c ON c.rank = o.rank AND c.comm = o.comm
WHERE o.id IN (SELECT id FROM alone_row UNION SELECT id FROM pending_op_row)
	AND o.is_send AND NOT o.other_world AND o.peer NOT NULL
	AND o.rank IN (SELECT rank FROM silent);

INSERT INTO misfit
SELECT rank, op_id, differs, from_rank, call, place, tag, comm_name, NULL
FROM (
	SELECT p.rank, p.op_id, CASE
		WHEN l.rank <> p.peer AND l.uid = c.uid AND (p.tag < 0 OR l.tag = p.tag)
			THEN 'rank'
		WHEN l.rank <> p.peer THEN NULL
		WHEN l.uid = c.uid AND p.tag >= 0 AND l.tag <> p.tag THEN 'tag'
		WHEN l.uid <> c.uid AND (p.tag < 0 OR l.tag = p.tag) THEN 'comm' END AS differs,
		l.rank AS from_rank, l.call, t.place, l.tag,
		(
		SELECT nullif(name, '')
		FROM comm_row w
		WHERE w.rank = l.rank AND w.comm = l.comm) AS comm_name,
		coalesce(l.rank <> p.peer, 0) AS far, l.id
	FROM pending p
	JOIN stuck s ON s.rank = p.rank AND s.calls
	JOIN comm_row c ON c.rank = p.rank AND c.comm = p.comm
	JOIN lone l ON l.peer = p.rank
	LEFT JOIN site t ON t.rank = l.rank AND t.callsite = l.callsite
	WHERE p.kind = 'recv' AND NOT p.cancelled
		AND iif(p.peer IS NULL, c.uid IN (SELECT uid FROM quiet),
			p.peer IN (SELECT rank FROM silent)))
WHERE differs NOT NULL
GROUP BY rank, op_id
HAVING min(far * 4611686018427387904 - id);
