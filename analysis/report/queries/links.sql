-- SPDX-License-Identifier: BSD-3-Clause
-- Parameters of links between ranks.
SELECT tier, ranks, nullif(peer, -1) AS peer, o_ns, one_way_ns, rendezvous_ns,
	G_s AS G_s_ns_per_byte, G_l AS G_l_ns_per_byte, short_max_bytes, local_max_bytes,
	eager_max_bytes, source, age_s, measured_by
FROM link_row
ORDER BY tier, rank, peer
LIMIT :top
