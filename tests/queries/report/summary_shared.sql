-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks of a host that are more than its processors take turns
INSERT INTO run VALUES (0, 'host', 'x'), (1, 'host', 'x'), (2, 'host', 'y'), (0, 'core_map', '0'), (1, 'core_map', '0'),
	(2, 'core_map', '0');
-- rows:
-- host|ranks|cpus|continues
-- x|2|1|0
