-- SPDX-License-Identifier: BSD-3-Clause
-- Where transfers were held up, why, and what helps. A row with unhidden_ns is no wait and has
-- no waited_in: the sentence in `why` names the call in which the transfer moved.
SELECT b.place AS "where", b.call, b.protocol, b.cause, pairs, count, least_bytes, most_bytes,
	wait_ns, unhidden_ns, mean_ns, late_mean_ns, late_longest_ns, elsewhere_pct,
	same_sender_pct, done_call AS waited_in, done_place AS waited_at, peer_call, peer_place,
	peer_done_call, peer_done_place, peer_share_pct, inside_pct, late_rank, late_thread,
	late_rank_pct, late_activity, computing_pct, in_turns_pct, why, remedy
FROM (SELECT *, coalesce(wait_ns, unhidden_ns) AS ns FROM bottleneck) b
LEFT JOIN done_of d ON wait_ns NOT NULL AND d.place = b.place AND d.call = fn
	AND d.protocol = protocol_id AND d.cause = cause_id
ORDER BY ns DESC, b.place, b.call, b.cause
LIMIT :top
