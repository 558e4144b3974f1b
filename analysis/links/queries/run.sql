-- SPDX-License-Identifier: BSD-3-Clause
-- What is read of a run, beside the rows of its ranks.

-- query nodes: the first rank on the host of each rank
SELECT r.rank, h.first FROM run r JOIN (SELECT value,
	min(rank) AS first FROM run WHERE key = 'host' GROUP BY value) h ON h.value = r.value
WHERE r.key = 'host'

-- query network: known parameters of model MM for the network, the lowest rank's last
SELECT name, value FROM link_param
WHERE tier = 'network' AND peer IS NULL AND layout IS NULL AND form IS NULL AND value IS NOT NULL AND model = 'MM'
ORDER BY rank DESC

-- query host_kinds: kinds of hosts, each named by its lowest rank
SELECT rank, CAST(value AS INTEGER) AS host_kind FROM run
WHERE key = 'host_kind' AND CAST(value AS INTEGER) BETWEEN 0 AND 0x7fffffff ORDER BY 2

-- query links: parameters of rank ?1 for tier ?2, to hosts of the kind that rank ?3 is the lowest of
SELECT * FROM link_param WHERE rank = ?1 AND tier = ?2 AND coalesce(peer, -1) = ?3
