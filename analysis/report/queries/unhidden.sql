-- SPDX-License-Identifier: BSD-3-Clause
-- Transfers that did not go on while ranks computed, where they are 2 % of the ranks' time: no
-- waits, but time as well.
INSERT INTO bottleneck (kind, fn, protocol_id, cause_id, place, call, protocol, cause, pairs,
		count, least_bytes, most_bytes, unhidden_ns, mean_ns, peer_done_call,
		peer_done_place, unconfirmed)
SELECT kind_id, call_id, protocol_id, NULL, coalesce(s.place, 'unknown'),
	(SELECT name FROM call_name WHERE id = call_id),
	(SELECT name FROM protocol_name WHERE id = protocol_id), 'unhidden_transfer',
	count(DISTINCT u.rank || ' ' || u.peer), sum(count),
	min(iif(bytes_log2, power_of_two(bytes_log2 - 1), 0)), max(max_bytes), sum(unhidden_ns),
	sum(unhidden_ns) / sum(count), (SELECT name FROM call_name WHERE id = done_call_id),
	d.place, EXISTS (SELECT 1 FROM unconfirmed)
FROM unhidden_cell_fields u
LEFT JOIN site s ON s.rank = u.rank AND s.callsite = u.callsite
LEFT JOIN site d ON d.rank = u.rank AND d.callsite = u.done_callsite
WHERE 50 * (SELECT sum(unhidden_ns) FROM unhidden_cell_fields) >= (
	SELECT sum(ns)
	FROM rank_time
	WHERE part = 0)
GROUP BY 1, 2, 3, 5, 15, 16;
