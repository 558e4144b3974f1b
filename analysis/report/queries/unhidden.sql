-- SPDX-License-Identifier: BSD-3-Clause
-- Transfers that made no progress while ranks computed, if they take 2 % of the ranks' time. They are no waits, but
-- cost time.
INSERT INTO bottleneck (kind, fn, place, call, protocol, cause, pairs,
		count, least_bytes, most_bytes, unhidden_ns, mean_ns, peer_done_call,
		peer_done_place, unconfirmed)
SELECT kind, call_id, coalesce(s.place, 'unknown'), call, protocol, 'unhidden_transfer',
	count(DISTINCT u.rank || ' ' || u.peer), sum(count),
	min(min_bytes), max(max_bytes), sum(unhidden_ns),
	sum(unhidden_ns) / sum(count), done_call, d.place, EXISTS (SELECT 1 FROM unconfirmed)
FROM unhidden_cell_fields u
LEFT JOIN site s ON s.rank = u.rank AND s.callsite = u.callsite
LEFT JOIN site d ON d.rank = u.rank AND d.callsite = u.done_callsite
WHERE 50 * (SELECT sum(unhidden_ns) FROM unhidden_cell_fields) >= (
	SELECT sum(ns)
	FROM rank_time
	WHERE part = 'run')
GROUP BY 1, 2, 3, 5, 13, 14;
