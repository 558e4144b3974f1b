-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks with the same parameters share a row, and hosts of another kind have one of their own
-- Ranks 0 and 1 have the same parameters on a node, rank 2 has others. Rank 0 has a network to hosts whose lowest rank is 2.
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000), (2, 'end_ns', 1000);
INSERT INTO link_param (rank, tier, peer, model, name, value, source, reason)
VALUES (0, 'node', NULL, 'LogGPS', 'S', 4040, 'measured', NULL), (1, 'node', NULL, 'LogGPS', 'S', 4040, 'measured', NULL),
	(2, 'node', NULL, 'LogGPS', 'S', 8255, 'unconfirmed', NULL), (2, 'node', NULL, 'LogGPS', 'o', 120, 'file', NULL),
	(2, 'node', NULL, 'LogGPS', 'age', 60, NULL, 'somebody'), (0, 'network', 2, 'LogGPS', 'S', 65480, 'cache', NULL),
	(0, 'node', NULL, 'LogP', 'o', 7, 'measured', NULL);
-- ask: SELECT tier, rank, peer, ranks, n, confirmed_by, unconfirmed, o_ns, eager_max_bytes, age_s, measured_by FROM link_row
-- ask: ORDER BY tier, rank, peer
-- rows:
-- tier|rank|peer|ranks|n|confirmed_by|unconfirmed|o_ns|eager_max_bytes|age_s|measured_by
-- network|0|2|0|1|cache|0|-|65480|-|-
-- node|0|-1|0,1|2|measured|0|-|4040|-|-
-- node|2|-1|2|1|file|1|120|8255|60|somebody

-- case: ranks that read the age of one set a second apart share a row
INSERT INTO run VALUES (0, 'end_ns', 1000), (1, 'end_ns', 1000);
INSERT INTO link_param (rank, tier, model, name, value, source, reason)
VALUES (0, 'node', 'LogGPS', 'S', 4040, 'cache', NULL), (1, 'node', 'LogGPS', 'S', 4040, 'cache', NULL),
	(0, 'node', 'LogGPS', 'age', 60, NULL, 'somebody'), (1, 'node', 'LogGPS', 'age', 61, NULL, 'somebody');
-- ask: SELECT tier, rank, ranks, n, age_s, measured_by FROM link_row
-- rows: values
-- node|0|0,1|2|60|somebody
