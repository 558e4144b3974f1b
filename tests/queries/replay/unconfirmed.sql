-- SPDX-License-Identifier: BSD-3-Clause
-- case: links between hosts
-- on: schema
INSERT INTO link_param (rank, tier, model, name, value, source) VALUES (0, 'self', 'LogGPS', 'L', 1, 'unconfirmed'),
	(0, 'node', 'LogGPS', 'L', 1, 'measured'), (0, 'network', 'LogGPS', 'L', 1, 'unconfirmed');
-- rows: values
-- 4
-- case: both kinds
-- on: schema
INSERT INTO link_param (rank, tier, model, name, value, source) VALUES (0, 'node', 'LogGPS', 'L', 1, 'unconfirmed'),
	(1, 'network', 'LogGPS', 'L', 1, 'unconfirmed');
-- rows: values
-- 6
-- case: none
-- on: schema
INSERT INTO link_param (rank, tier, model, name, value, source) VALUES (0, 'node', 'LogGPS', 'L', 1, 'measured');
-- rows: values
-- -
