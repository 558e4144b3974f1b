-- SPDX-License-Identifier: BSD-3-Clause
-- What is known of links between ranks, and what is unknown, with the reason in brackets. For
-- people (:for_data 0), links of a rank to itself are left out.
SELECT tier, ranks, nullif(peer, -1) AS peer, o_ns, one_way_ns, rendezvous_ns,
	G_s AS G_s_ns_per_byte, G_l AS G_l_ns_per_byte, short_max_bytes, local_max_bytes,
	eager_max_bytes, source, age_s, measured_by, n AS nranks, confirmed_by, unconfirmed,
	(
	SELECT group_concat(name || coalesce(' (' || reason || ')', ''), ', ')
	FROM link_param p
	WHERE p.rank = l.rank AND p.tier = l.tier AND coalesce(p.peer, -1) = +l.peer
		AND coalesce(p.form, '') = '' AND coalesce(p.layout, '') = ''
		AND p.model = 'LogGPS' AND p.value IS NULL
		AND p.name IN ('s', 'S_p', 'S', 'o', 'one_way', 'rendezvous', 'G_s', 'G_l')) AS
	unknown
FROM link_row l
WHERE :for_data OR tier <> 'self'
ORDER BY iif(:for_data, tier, tier = 'network'), rank, peer
LIMIT :top
