-- SPDX-License-Identifier: BSD-3-Clause
-- Messages that nobody received, who sent them, and the first one. Nothing in a running job, where a
-- receive may still come.
SELECT s.*, first.*
FROM (
	SELECT sum(ops) AS messages, rank_list(rank) AS ranks, count(DISTINCT rank) AS nranks
	FROM (SELECT rank, ops FROM match_summary WHERE reason = 'not_received' ORDER BY rank)) s
LEFT JOIN (
	SELECT call, coalesce(place, 'unknown') AS place, peer, tag, bytes
	FROM unmatched a
	CROSS JOIN op o ON o.op_key = a.op_key
	LEFT JOIN site s ON s.rank = a.rank AND s.callsite = o.callsite
	WHERE reason = 'not_received'
	ORDER BY post_enter_ns, a.op_key
	LIMIT 1) first
WHERE messages AND NOT EXISTS (SELECT 1 FROM outlook WHERE state = 'runs')
