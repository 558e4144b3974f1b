-- SPDX-License-Identifier: BSD-3-Clause
-- link_row: what is known of links. Ranks with the same parameters make one row, which is read
-- from the lowest of them. link_key() tells them apart without a column for each parameter of
-- ten thousand ranks. It leaves out age: ranks read the age of one set at times that differ by
-- seconds. A link to hosts of another kind has the lowest rank of this kind as its peer.
CREATE TEMP VIEW link_row AS
WITH side(peer) AS (SELECT -1 UNION SELECT peer FROM link_param WHERE peer >= 0 AND name = 'S'),
	k AS (
	SELECT r.rank, t.name AS tier, s.peer,
		(
		SELECT link_key(name, value, source)
		FROM link_param p
		WHERE p.rank = r.rank AND p.tier = t.name AND coalesce(p.peer, -1) = +s.peer
			AND coalesce(p.form, '') = '' AND coalesce(p.layout, '') = ''
			AND p.model = 'LogGPS' AND p.name <> 'age') AS key
	FROM known r
	CROSS JOIN tier_name t
	CROSS JOIN side s), g AS (
	SELECT tier, peer, min(rank) AS rank, rank_list(rank) AS ranks, count(*) AS n
	FROM (SELECT * FROM k WHERE key IS NOT NULL ORDER BY tier, peer, rank)
	GROUP BY tier, peer, key), l AS (
	SELECT g.tier, g.rank, g.peer, ranks, n, group_concat(DISTINCT source) AS source,
		group_concat(DISTINCT source) FILTER (WHERE source <> 'unconfirmed') AS confirmed_by,
		coalesce(max(source = 'unconfirmed'), 0) AS unconfirmed,
		max(value) FILTER (WHERE name = 'o') AS o_ns,
		max(value) FILTER (WHERE name = 'one_way') AS one_way_ns,
		max(value) FILTER (WHERE name = 'rendezvous') AS rendezvous_ns,
		max(value) FILTER (WHERE name = 'G_s') AS G_s,
		max(value) FILTER (WHERE name = 'G_l') AS G_l,
		CAST(max(value) FILTER (WHERE name = 's') AS INTEGER) AS short_max_bytes,
		CAST(max(value) FILTER (WHERE name = 'S_p') AS INTEGER) AS local_max_bytes,
		CAST(max(value) FILTER (WHERE name = 'S') AS INTEGER) AS eager_max_bytes,
		max(value) FILTER (WHERE name = 'age') AS age_s,
		max(reason) FILTER (WHERE name = 'age') AS measured_by
	FROM g
	CROSS JOIN link_param p ON p.rank = g.rank AND p.tier = g.tier
		AND coalesce(p.peer, -1) = +g.peer AND coalesce(p.form, '') = ''
		AND coalesce(p.layout, '') = '' AND p.model = 'LogGPS'
	GROUP BY g.tier, g.peer, g.rank)
SELECT *
FROM l;
