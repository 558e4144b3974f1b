-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks of a host that are more than its processors take turns
INSERT INTO run VALUES (0, 'host', 'x'), (1, 'host', 'x'), (2, 'host', 'y'), (0, 'core_map', '0'), (1, 'core_map', '0'),
	(2, 'core_map', '0');
-- rows:
-- host|ranks|cpus|continues|guessed
-- x|2|1|0|1

-- case: where times without a CPU were recorded, their part of the waits is no guess
INSERT INTO match_info VALUES ('messages', 9);
INSERT INTO run VALUES (0, 'host', 'x'), (1, 'host', 'x'), (0, 'core_map', '0'), (1, 'core_map', '0'),
	(0, 'sample_period_ns', 5000000), (1, 'sample_period_ns', 5000000);
-- rows:
-- host|ranks|cpus|continues|guessed
-- x|2|1|0|0
