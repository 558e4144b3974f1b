-- SPDX-License-Identifier: BSD-3-Clause
-- case: people get links between ranks, the network last, with what is unknown and why
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO link_param (rank, tier, model, name, value, source, reason)
VALUES (0, 'self', 'LogGPS', 'S', 1000, 'measured', NULL), (0, 'network', 'LogGPS', 'S', 65480, 'cache', NULL),
	(0, 'node', 'LogGPS', 'S', 4040, 'measured', NULL), (0, 'node', 'LogGPS', 'o', 120.5, 'measured', NULL),
	(0, 'node', 'LogGPS', 'G_l', NULL, NULL, 'too noisy'), (0, 'node', 'LogGPS', 'L', NULL, NULL, 'not asked for here');
-- rows:
-- tier|ranks|peer|o_ns|one_way_ns|rendezvous_ns|G_s_ns_per_byte|G_l_ns_per_byte|short_max_bytes|local_max_bytes|eager_max_bytes|source|age_s|measured_by|nranks|confirmed_by|unconfirmed|unknown
-- node|0|-|120.5|-|-|-|-|-|-|4040|measured|-|-|1|measured|0|G_l (too noisy)
-- network|0|-|-|-|-|-|-|-|-|65480|cache|-|-|1|cache|0|-

-- case: machines also get a rank's link to itself
-- for: data
INSERT INTO run VALUES (0, 'end_ns', 1000);
INSERT INTO link_param (rank, tier, model, name, value, source) VALUES (0, 'self', 'LogGPS', 'S', 1000, 'measured');
-- rows:
-- tier|ranks|peer|o_ns|one_way_ns|rendezvous_ns|G_s_ns_per_byte|G_l_ns_per_byte|short_max_bytes|local_max_bytes|eager_max_bytes|source|age_s|measured_by|nranks|confirmed_by|unconfirmed|unknown
-- self|0|-|-|-|-|-|-|-|-|1000|measured|-|-|1|measured|0|-
