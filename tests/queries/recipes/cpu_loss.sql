-- SPDX-License-Identifier: BSD-3-Clause
-- case: ranks that were not sampled have no row
INSERT INTO run VALUES (0, 'host', 'alpha'), (1, 'host', 'alpha');
-- rows:
-- rank|host|count|loss_ns|longest_ns
