-- SPDX-License-Identifier: BSD-3-Clause
-- Settings that may govern S of a link: in a node, over the network, name, least value. If the run shows which
-- do, only these. Else the settings of its library with their defaults, for UCX with the least value.
SELECT max(s.tier = 'node') AS node, max(s.tier = 'network') AS network, s.name, min(s.value) FROM (
	SELECT t.name AS tier, p.reason AS name, p.value FROM link_param p JOIN tier_name t ON t.name = p.tier
	WHERE p.name = 'S_setting' AND p.value > 0 AND p.reason IS NOT NULL
	UNION
	SELECT t.name, l.setting, l.value FROM tier_name t JOIN (
		SELECT 'mpich' AS shim, 'node' AS tier, '%' AS library, 'UCX_RNDV_THRESH' AS setting, 4096.0 AS value
		UNION ALL VALUES ('mpich', 'network', '%', 'UCX_RNDV_THRESH', 4096.0),
			('openmpi', 'node', 'Open MPI v4%', 'btl_vader_eager_limit', 4096.0),
			('openmpi', 'node', 'Open MPI v5%', 'btl_sm_eager_limit', 4096.0),
			('openmpi', 'node', 'Open MPI v6%', 'btl_sm_eager_limit', 4096.0),
			('openmpi', 'network', '%', 'btl_tcp_eager_limit', 65536.0)) l ON l.tier = t.name
	WHERE EXISTS (SELECT 1 FROM run WHERE key = 'shim' AND value = l.shim)
		AND EXISTS (SELECT 1 FROM run WHERE key = 'mpi_library' AND value LIKE l.library)
		AND NOT EXISTS (SELECT 1 FROM link_param WHERE name = 'S_setting' AND value > 0)) s
GROUP BY s.name ORDER BY network, node, s.name
