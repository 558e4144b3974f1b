-- SPDX-License-Identifier: BSD-3-Clause
-- case: what holds for all forms and lengths, in the order in which it was stored; thresholds are whole bytes
INSERT INTO link_param (rank, tier, peer, form, layout, model, name, bytes, value, unit, reason)
VALUES (0, 'node', NULL, NULL, NULL, 'LogGPS', 'S', NULL, 4040.0, 'B', 'measured to the byte'),
	(0, 'node', NULL, NULL, NULL, 'LogGPS', 'o', NULL, 120.5, 'ns', NULL),
	(0, 'node', NULL, 'isend', NULL, 'LogGPS', 'S', NULL, 256.0, 'B', NULL),
	(0, 'node', NULL, NULL, 'strided', 'LogGPS', 'S', NULL, 256.0, 'B', NULL),
	(0, 'node', 4, NULL, NULL, 'LogGPS', 'S', NULL, 256.0, 'B', NULL),
	(0, 'node', NULL, NULL, NULL, 'LogGPS', 'S', 8, 256.0, 'B', NULL),
	(0, 'node', NULL, NULL, NULL, 'LogP', 'o', NULL, 99.0, 'ns', NULL),
	(0, 'network', NULL, NULL, NULL, 'LogGPS', 'L', NULL, NULL, 'ns', 'no network');
-- rows:
-- tier|name|value|unit|note
-- node|S|4040|B|measured to the byte
-- node|o|120.5|ns|-
-- network|L|-|ns|no network
