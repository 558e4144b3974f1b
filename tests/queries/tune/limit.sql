-- SPDX-License-Identifier: BSD-3-Clause
-- case: S of the node, not of the network, of a pair or of another model
-- on: schema
-- bind: node
INSERT INTO link_param (rank, tier, peer, model, name, value, source)
VALUES (0, 'node', NULL, 'LogGPS', 'S', 4096, 'measured'), (0, 'network', NULL, 'LogGPS', 'S', 65536, 'measured'),
	(0, 'node', 1, 'LogGPS', 'S', 1024, 'measured'), (0, 'node', NULL, 'PLogP', 'S', 512, 'measured');
-- rows: values
-- 4096
-- case: S of the network
-- on: schema
-- bind: network
INSERT INTO link_param (rank, tier, model, name, value, source)
VALUES (0, 'node', 'LogGPS', 'S', 4096, 'measured'), (0, 'network', 'LogGPS', 'S', 65536, 'measured');
-- rows: values
-- 65536
-- case: no S where it is unknown
-- on: schema
-- bind: node
INSERT INTO link_param (rank, tier, model, name, value, source)
VALUES (0, 'node', 'LogGPS', 'S', NULL, 'measured'), (0, 'network', 'LogGPS', 'S', 65536, 'measured');
-- rows: values
