-- SPDX-License-Identifier: BSD-3-Clause
-- The same in words: what is known, then what is unknown and why.
SELECT tier || ' (' || iif(n = 1, 'rank ', 'ranks ') || ranks
	|| iif(peer < 0, ', ', ' to hosts like rank ' || peer || '''s, ')
	|| iif(source LIKE '%unconfirmed%', 'unconfirmed, ' || measured_ago(age_s, measured_by)
		|| coalesce('; ' || nullif(trim(replace(source, 'unconfirmed', ''), ','), ''),
			''), coalesce(source, 'not measured')) || ')'
	|| coalesce('; short up to ' || short_max_bytes || ' B', '')
	|| coalesce('; completes alone up to ' || local_max_bytes || ' B', '')
	|| coalesce('; eager up to ' || eager_max_bytes || ' B', '')
	|| coalesce('; o ' || duration(o_ns), '')
	|| coalesce('; one way 2o+L ' || duration(one_way_ns), '')
	|| coalesce('; rendezvous T4+T5 ' || duration(rendezvous_ns), '')
	|| iif(G_s IS NULL, '', printf('; %.3g ns/B short', G_s))
	|| iif(G_l IS NULL, '', printf('; %.3g ns/B long', G_l))
	|| coalesce('; unknown: ' || (
		SELECT group_concat(name || coalesce(' (' || reason || ')', ''), ', ')
		FROM link_param p
		WHERE p.rank = l.rank AND p.tier = l.tier AND coalesce(p.peer, -1) = +l.peer
			AND coalesce(p.form, '') = '' AND coalesce(p.layout, '') = ''
			AND p.model = 'LogGPS' AND p.value IS NULL
			AND p.name IN ('s', 'S_p', 'S', 'o', 'one_way', 'rendezvous', 'G_s',
				'G_l')), '') AS text
FROM link_row l
WHERE tier <> 'self'
ORDER BY tier = 'network', rank, peer
LIMIT :top
